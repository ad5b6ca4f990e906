#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>
#include <jpeglib.h>

#include "encoded.h"

enum { first_capacity = 64 * 1024, strip_rows = 16 };

/// Everything that must survive a jump.
typedef struct session {
  struct jpeg_compress_struct compressor;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf jump;
  ccodecs_encoded *encoded;
  /// One strip of MCU rows of all planes, edges repeated.
  uint8_t *strip;
} session;

static void on_error(j_common_ptr common) {
  session *s = common->client_data;
  char message[JMSG_LENGTH_MAX];
  common->err->format_message(common, message);
  ccodecs_encoded_set_message(s->encoded, message);
  if (common->err->msg_code == JERR_OUT_OF_MEMORY) s->encoded->out_of_memory = true;
  longjmp(s->jump, 1);
}

static void on_message(j_common_ptr common) { (void)common; }

static void begin_output(j_compress_ptr compressor) {
  session *s = compressor->client_data;
  if (!ccodecs_encoded_reserve(s->encoded, first_capacity))
    ERREXIT1(compressor, JERR_OUT_OF_MEMORY, 0);
  s->destination.next_output_byte = s->encoded->bytes;
  s->destination.free_in_buffer = s->encoded->capacity;
}

static boolean grow_output(j_compress_ptr compressor) {
  session *s = compressor->client_data;
  s->encoded->count = s->encoded->capacity;
  if (!ccodecs_encoded_reserve(s->encoded, s->encoded->capacity))
    ERREXIT1(compressor, JERR_OUT_OF_MEMORY, 0);
  s->destination.next_output_byte = s->encoded->bytes + s->encoded->count;
  s->destination.free_in_buffer = s->encoded->capacity - s->encoded->count;
  return TRUE;
}

static void end_output(j_compress_ptr compressor) {
  session *s = compressor->client_data;
  s->encoded->count = s->encoded->capacity - s->destination.free_in_buffer;
}

static session *create(ccodecs_encoded *encoded) {
  memset(encoded, 0, sizeof *encoded);
  session *s = calloc(1, sizeof *s);
  if (s == NULL) {
    encoded->out_of_memory = true;
    return NULL;
  }
  s->encoded = encoded;
  s->compressor.err = jpeg_std_error(&s->errors);
  s->errors.error_exit = on_error;
  s->errors.output_message = on_message;
  s->compressor.client_data = s;
  s->destination.init_destination = begin_output;
  s->destination.empty_output_buffer = grow_output;
  s->destination.term_destination = end_output;
  return s;
}

static bool destroy(session *s, bool ok) {
  jpeg_destroy_compress(&s->compressor);
  if (!ok) ccodecs_encoded_free(s->encoded);
  free(s->strip);
  free(s);
  return ok;
}

static void start(session *s, ccodecs_pixels pixels, J_COLOR_SPACE space, int components,
                  int quality, bool raw) {
  struct jpeg_compress_struct *c = &s->compressor;
  jpeg_create_compress(c);
  c->client_data = s;
  c->dest = &s->destination;
  c->image_width = pixels.width;
  c->image_height = pixels.height;
  c->input_components = components;
  c->in_color_space = space;
  jpeg_set_defaults(c);
  jpeg_set_quality(c, quality, TRUE);
  c->optimize_coding = TRUE;
  c->raw_data_in = raw;
  jpeg_start_compress(c, TRUE);
}

bool ccodecs_jpeg_encode_rows(ccodecs_pixels pixels, int quality, ccodecs_encoded *encoded) {
  session *s = create(encoded);
  if (s == NULL) return false;
  if (setjmp(s->jump)) return destroy(s, false);
  start(s, pixels, pixels.components == 1 ? JCS_GRAYSCALE : JCS_RGB, (int)pixels.components,
        quality, false);
  size_t row_bytes = (size_t)pixels.width * pixels.components;
  while (s->compressor.next_scanline < s->compressor.image_height) {
    JSAMPROW row = (JSAMPROW)(pixels.samples + s->compressor.next_scanline * row_bytes);
    jpeg_write_scanlines(&s->compressor, &row, 1);
  }
  jpeg_finish_compress(&s->compressor);
  return destroy(s, true);
}

/// Copies rows into a strip, repeating the last column and the last row.
static void fill_strip(uint8_t *strip, size_t strip_width, uint32_t rows, ccodecs_pixels plane,
                       uint32_t first) {
  for (uint32_t row = 0; row < rows; row++) {
    uint32_t source = first + row < plane.height ? first + row : plane.height - 1;
    uint8_t *target = strip + row * strip_width;
    memcpy(target, plane.samples + (size_t)source * plane.width, plane.width);
    memset(target + plane.width, target[plane.width - 1], strip_width - plane.width);
  }
}

static void write_strips(session *s, const ccodecs_pixels *planes) {
  size_t chroma_width = ((size_t)planes[0].width + 15) / 16 * 8;
  size_t widths[3] = {chroma_width * 2, chroma_width, chroma_width};
  s->strip = malloc(chroma_width * 2 * strip_rows + 2 * chroma_width * (strip_rows / 2));
  if (s->strip == NULL) ERREXIT1(&s->compressor, JERR_OUT_OF_MEMORY, 0);
  JSAMPROW rows[3][strip_rows];
  JSAMPARRAY arrays[3] = {rows[0], rows[1], rows[2]};
  uint8_t *next = s->strip;
  for (int plane = 0; plane < 3; plane++)
    for (int row = 0; row < (plane == 0 ? strip_rows : strip_rows / 2); row++, next += widths[plane])
      rows[plane][row] = next;
  for (uint32_t top = 0; top < planes[0].height; top += strip_rows) {
    fill_strip(rows[0][0], widths[0], strip_rows, planes[0], top);
    fill_strip(rows[1][0], widths[1], strip_rows / 2, planes[1], top / 2);
    fill_strip(rows[2][0], widths[2], strip_rows / 2, planes[2], top / 2);
    jpeg_write_raw_data(&s->compressor, arrays, strip_rows);
  }
}

bool ccodecs_jpeg_encode_planes(const ccodecs_pixels *planes, int quality,
                                ccodecs_encoded *encoded) {
  session *s = create(encoded);
  if (s == NULL) return false;
  if (setjmp(s->jump)) return destroy(s, false);
  start(s, planes[0], JCS_YCbCr, 3, quality, true);
  write_strips(s, planes);
  jpeg_finish_compress(&s->compressor);
  return destroy(s, true);
}
