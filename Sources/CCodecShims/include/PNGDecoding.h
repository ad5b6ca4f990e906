#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CodecStatus.h"

// libpng behind functions that return instead of jumping: each does its own
// setjmp. The session holds everything that must survive a jump. No policy.

typedef struct ccodecs_png_decoder ccodecs_png_decoder;

/// A stretch of the input that the library is to see; one with a negative offset is of the bytes that
/// were given beside the input, from -1 (the first of them) on downwards.
typedef struct ccodecs_byte_range {
  int64_t offset;
  int64_t length;
} ccodecs_byte_range;

typedef struct ccodecs_png_header {
  uint32_t width;
  uint32_t height;
  int bit_depth;
  int colour_type;
  bool interlaced;
  bool has_transparency_chunk;
  /// The embedded profile inside the session; NULL where there is none.
  const uint8_t *_Nullable profile;
  size_t profile_bytes;
} ccodecs_png_header;

/// What rows look like once palette, tRNS and depths below 8 are expanded.
typedef struct ccodecs_png_rows {
  /// 1 for a picture that is not interlaced.
  int passes;
  int channels;
  int bit_depth;
  size_t bytes;
} ccodecs_png_rows;

/// A session that reads these ranges of `input`, one after the other, by pread; NULL when memory is
/// short. No single chunk may take more than `chunk_bytes` once inflated.
ccodecs_png_decoder *_Nullable ccodecs_png_create(int input,
                                                  const ccodecs_byte_range *_Nonnull ranges,
                                                  size_t count, size_t chunk_bytes);
/// Gives the session bytes that no input holds, for ranges with negative offsets, and takes every
/// check sum for right: whoever puts a stream together has none. False when memory is short. Before
/// ccodecs_png_read_header.
bool ccodecs_png_insert(ccodecs_png_decoder *_Nonnull decoder, const uint8_t *_Nonnull bytes,
                        size_t count);
void ccodecs_png_destroy(ccodecs_png_decoder *_Nonnull decoder);
const char *_Nonnull ccodecs_png_message(const ccodecs_png_decoder *_Nonnull decoder);
/// What the library said of the profile's chunk last; empty where it said nothing.
const char *_Nonnull ccodecs_png_profile_warning(const ccodecs_png_decoder *_Nonnull decoder);

/// Makes the chunk that begins at `offset` of the input say that it is `length` bytes long. The
/// library reads by buffers: of a chunk cut short it would otherwise not use the last one.
void ccodecs_png_shorten_chunk(ccodecs_png_decoder *_Nonnull decoder, int64_t offset,
                               uint32_t length);

/// png_read_info.
ccodecs_status ccodecs_png_read_header(ccodecs_png_decoder *_Nonnull decoder,
                                       ccodecs_png_header *_Nonnull header);
/// Asks for expanded samples (16 bits in native order) and png_read_update_info.
ccodecs_status ccodecs_png_start(ccodecs_png_decoder *_Nonnull decoder,
                                 ccodecs_png_rows *_Nonnull rows);
/// png_read_row: for an interlaced picture, once for every row of every pass with that row's bytes
/// so far. `fills_blocks` writes each known pixel over all those that later passes would refine.
ccodecs_status ccodecs_png_read_row(ccodecs_png_decoder *_Nonnull decoder, uint8_t *_Nonnull row,
                                    bool fills_blocks);
/// Whether every row of every pass has been read, though the call that read the last may have failed
/// on what follows it.
bool ccodecs_png_has_all_rows(const ccodecs_png_decoder *_Nonnull decoder);
