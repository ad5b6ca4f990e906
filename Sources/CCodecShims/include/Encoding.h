#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libjpeg's and libpng's writers behind functions that return instead of jumping: each does its own
// setjmp around one whole picture. No policy.

/// Rows of samples without padding between them.
typedef struct ccodecs_pixels {
  const uint8_t *_Nullable samples;
  uint32_t width;
  uint32_t height;
  /// Interleaved samples a pixel.
  uint32_t components;
} ccodecs_pixels;

/// What a writer wrote, or why it could not.
typedef struct ccodecs_encoded {
  /// To be freed with ccodecs_encoded_free.
  uint8_t *_Nullable bytes;
  size_t count;
  size_t capacity;
  bool out_of_memory;
  char message[200];
} ccodecs_encoded;

/// malloc_trim: gives freed memory back to the kernel.
void ccodecs_trim_memory(void);

void ccodecs_encoded_free(ccodecs_encoded *_Nonnull encoded);
const char *_Nonnull ccodecs_encoded_message(const ccodecs_encoded *_Nonnull encoded);

/// Baseline JPEG from Y, Cb and Cr planes, chroma at half of luma's size rounded up
/// (jpeg_write_raw_data), Huffman tables optimised; JFIF and no other marker.
bool ccodecs_jpeg_encode_planes(const ccodecs_pixels *_Nonnull planes, int quality,
                                ccodecs_encoded *_Nonnull encoded);

/// Baseline JPEG from gray (1 component) or RGB (3; written as YCbCr 4:2:0).
bool ccodecs_jpeg_encode_rows(ccodecs_pixels pixels, int quality,
                              ccodecs_encoded *_Nonnull encoded);

/// 8-bit PNG from gray, gray and alpha, RGB, or RGB and alpha (1…4 components); no ancillary chunk.
/// `level` and `strategy` are zlib's, `filters` are PNG_FILTER_… bits.
bool ccodecs_png_encode(ccodecs_pixels pixels, int level, int strategy, int filters,
                        ccodecs_encoded *_Nonnull encoded);
