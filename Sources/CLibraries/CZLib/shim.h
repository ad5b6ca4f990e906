#pragma once

#include <zlib.h>

/// inflateInit2 is a macro. 15 bits of window are zlib's form, 15 + 16 gzip's, -15 bare deflate (zlib.h).
static inline int czlib_begin(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
