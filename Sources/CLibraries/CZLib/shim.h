#pragma once

#include <zlib.h>

/// inflateInit2 is a macro. 15 bits of window and 16: a gzip header is expected (zlib.h).
static inline int czlib_begin_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
