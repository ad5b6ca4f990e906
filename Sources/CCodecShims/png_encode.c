#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "encoded.h"

/// Everything that must survive a jump.
typedef struct session {
  png_structp png;
  png_infop info;
  ccodecs_encoded *encoded;
} session;

static void on_error(png_structp png, png_const_charp message) {
  session *s = png_get_error_ptr(png);
  ccodecs_encoded_set_message(s->encoded, message);
  png_longjmp(png, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  session *s = png_get_io_ptr(png);
  if (!ccodecs_encoded_append(s->encoded, bytes, count)) png_error(png, "out of memory");
}

static void flush_bytes(png_structp png) { (void)png; }

static int colour_type(uint32_t components) {
  switch (components) {
    case 1: return PNG_COLOR_TYPE_GRAY;
    case 2: return PNG_COLOR_TYPE_GRAY_ALPHA;
    case 3: return PNG_COLOR_TYPE_RGB;
    default: return PNG_COLOR_TYPE_RGB_ALPHA;
  }
}

static bool destroy(session *s, bool ok) {
  if (!ok) ccodecs_encoded_free(s->encoded);
  if (s->png != NULL) png_destroy_write_struct(&s->png, &s->info);
  free(s);
  return ok;
}

bool ccodecs_png_encode(ccodecs_pixels pixels, int level, int strategy, int filters,
                        ccodecs_encoded *encoded) {
  memset(encoded, 0, sizeof *encoded);
  session *s = calloc(1, sizeof *s);
  if (s == NULL) {
    encoded->out_of_memory = true;
    return false;
  }
  s->encoded = encoded;
  s->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, s, on_error, on_warning);
  s->info = s->png == NULL ? NULL : png_create_info_struct(s->png);
  if (s->info == NULL) {
    encoded->out_of_memory = true;
    return destroy(s, false);
  }
  if (setjmp(png_jmpbuf(s->png))) return destroy(s, false);
  png_set_write_fn(s->png, s, write_bytes, flush_bytes);
  png_set_compression_level(s->png, level);
  png_set_compression_strategy(s->png, strategy);
  png_set_filter(s->png, PNG_FILTER_TYPE_BASE, filters);
  png_set_IHDR(s->png, s->info, pixels.width, pixels.height, 8, colour_type(pixels.components),
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_BASE, PNG_FILTER_TYPE_BASE);
  png_write_info(s->png, s->info);
  size_t row_bytes = (size_t)pixels.width * pixels.components;
  for (uint32_t row = 0; row < pixels.height; row++)
    png_write_row(s->png, pixels.samples + row * row_bytes);
  png_write_end(s->png, NULL);
  return destroy(s, true);
}
