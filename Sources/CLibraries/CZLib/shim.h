#pragma once

#include <zlib.h>

/// inflateInit2 is a macro. 15 bits of window and 16: a gzip header is expected (zlib.h).
static inline int czlib_begin_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }

/// inflateInit2 with any window: 15 is zlib's form, 15 + 16 gzip's, -15 bare deflate (zlib.h).
static inline int czlib_begin(z_stream *stream, int window_bits) {
  return inflateInit2(stream, window_bits);
}
