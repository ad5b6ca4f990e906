#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "CodecStatus.h"

// libjpeg behind functions that return instead of jumping: each does its own
// setjmp. The session holds everything that must survive a jump. No policy.

typedef struct ccodecs_jpeg_decoder ccodecs_jpeg_decoder;

typedef enum ccodecs_jpeg_colour {
  ccodecs_jpeg_other,
  ccodecs_jpeg_gray,
  ccodecs_jpeg_rgb,
  ccodecs_jpeg_ycbcr,
  ccodecs_jpeg_cmyk,
  ccodecs_jpeg_ycck
} ccodecs_jpeg_colour;

typedef struct ccodecs_jpeg_header {
  int width;
  int height;
  int components;
  ccodecs_jpeg_colour colour;
  bool arithmetic;
  bool multiple_scans;
  /// Whether component 0 is sampled at the picture's own density.
  bool first_component_is_full;
} ccodecs_jpeg_header;

typedef struct ccodecs_jpeg_plane {
  int width;
  int height;
  int components;
  /// Rows that one strip holds, at most; the last strip may hold fewer.
  int strip_rows;
} ccodecs_jpeg_plane;

/// Where entropy-coded data ran out for the first time with nothing to heal it: at the end of the
/// picture or the input, or at a stray marker where neither restart markers nor scans follow.
typedef struct ccodecs_jpeg_loss {
  bool happened;
  int scan;
  int mcu_row;
} ccodecs_jpeg_loss;

typedef enum ccodecs_jpeg_output {
  /// Planes as coded, without colour conversion or upsampling.
  ccodecs_jpeg_output_planes,
  ccodecs_jpeg_output_gray,
  ccodecs_jpeg_output_rgb,
  ccodecs_jpeg_output_cmyk
} ccodecs_jpeg_output;

/// A session that reads the bytes of `input` from `start` to `end`, or to the end of the file, by
/// pread; NULL when memory is short.
ccodecs_jpeg_decoder *_Nullable ccodecs_jpeg_create(int input, int64_t start, int64_t end);
void ccodecs_jpeg_destroy(ccodecs_jpeg_decoder *_Nonnull decoder);
const char *_Nonnull ccodecs_jpeg_message(const ccodecs_jpeg_decoder *_Nonnull decoder);

/// jpeg_read_header.
ccodecs_status ccodecs_jpeg_read_header(ccodecs_jpeg_decoder *_Nonnull decoder,
                                        ccodecs_jpeg_header *_Nonnull header);

/// jpeg_start_decompress at scale_eighths / 8; in buffered-image mode where there are several scans.
ccodecs_status ccodecs_jpeg_start(ccodecs_jpeg_decoder *_Nonnull decoder, int scale_eighths,
                                  ccodecs_jpeg_output output);

/// jpeg_consume_input up to the end of a scan, or of the picture (then *at_end). Buffered-image only.
ccodecs_status ccodecs_jpeg_absorb_scan(ccodecs_jpeg_decoder *_Nonnull decoder,
                                        bool *_Nonnull at_end);
/// Scans begun so far.
int ccodecs_jpeg_scans(const ccodecs_jpeg_decoder *_Nonnull decoder);
/// Bits that coefficient `index` (in zigzag order, 0 is DC) of a component still lacks;
/// -1 before its first scan. Sequential files: 0 once the component has had its scan.
int ccodecs_jpeg_missing_bits(const ccodecs_jpeg_decoder *_Nonnull decoder, int component,
                              int index);
/// The quantization step of coefficient `index` (in zigzag order); 0 before the component's first
/// scan.
int ccodecs_jpeg_step(const ccodecs_jpeg_decoder *_Nonnull decoder, int component, int index);
int ccodecs_jpeg_components(const ccodecs_jpeg_decoder *_Nonnull decoder);
/// Samples on a side that one 8 × 8 block of a component becomes; once started.
int ccodecs_jpeg_block_size(const ccodecs_jpeg_decoder *_Nonnull decoder, int component);
/// Whether a component's samples lie as densely as those of the picture; once started.
bool ccodecs_jpeg_is_dense(const ccodecs_jpeg_decoder *_Nonnull decoder, int component);
/// jpeg_start_output on what has been absorbed. Buffered-image only.
ccodecs_status ccodecs_jpeg_start_output(ccodecs_jpeg_decoder *_Nonnull decoder,
                                         bool smooths_blocks);

/// Rows of plane 0 in one row of MCUs.
int ccodecs_jpeg_mcu_height(const ccodecs_jpeg_decoder *_Nonnull decoder);
int ccodecs_jpeg_planes(const ccodecs_jpeg_decoder *_Nonnull decoder);
ccodecs_jpeg_plane ccodecs_jpeg_plane_shape(const ccodecs_jpeg_decoder *_Nonnull decoder,
                                            int plane);
/// Fills the strip: jpeg_read_raw_data for planes, else one row by jpeg_read_scanlines.
ccodecs_status ccodecs_jpeg_read_strip(ccodecs_jpeg_decoder *_Nonnull decoder);
/// jpeg_abort_decompress: gives back what decoding took, coefficients above all. Nothing but
/// ccodecs_jpeg_destroy may follow.
void ccodecs_jpeg_release(ccodecs_jpeg_decoder *_Nonnull decoder);
/// A row of the strip; valid until the next call that reads.
const uint8_t *_Nonnull ccodecs_jpeg_row(const ccodecs_jpeg_decoder *_Nonnull decoder, int plane,
                                         int row);
ccodecs_jpeg_loss ccodecs_jpeg_first_loss(const ccodecs_jpeg_decoder *_Nonnull decoder);
/// Bytes of the input that have been asked for.
int64_t ccodecs_jpeg_bytes_read(const ccodecs_jpeg_decoder *_Nonnull decoder);
/// Whether more bytes were asked for than the input has.
bool ccodecs_jpeg_input_ended(const ccodecs_jpeg_decoder *_Nonnull decoder);
