#pragma once

#include "Encoding.h"

/// Appends to the encoded bytes; false when memory is short.
bool ccodecs_encoded_append(ccodecs_encoded *encoded, const void *bytes, size_t count);
/// Makes room for `count` bytes more; false when memory is short.
bool ccodecs_encoded_reserve(ccodecs_encoded *encoded, size_t count);
void ccodecs_encoded_set_message(ccodecs_encoded *encoded, const char *message);
