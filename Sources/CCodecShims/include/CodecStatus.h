#pragma once

#include <stdint.h>

/// What a call into a library that reports errors by longjmp came to.
typedef enum ccodecs_status {
  ccodecs_ok = 0,
  /// The library gave up on the bytes; the session holds its message.
  ccodecs_failed,
  /// The library, or this wrapper of it, does not do this kind of file.
  ccodecs_unsupported,
  /// The input ended.
  ccodecs_ended,
  ccodecs_out_of_memory,
  /// read(2) failed; the session holds errno's text.
  ccodecs_input_failed
} ccodecs_status;

/// Sessions of this target that are alive in the process, for leak tests.
int64_t ccodecs_live_sessions(void);
