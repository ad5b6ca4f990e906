#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void ccodecs_session_began(void);
void ccodecs_session_ended(void);

/// pread(2) until `count` bytes, the end, or an error; -1 on error.
int64_t ccodecs_read_at(int input, void *bytes, size_t count, int64_t offset);
