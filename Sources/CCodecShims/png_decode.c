#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

#include "PNGDecoding.h"
#include "sessions.h"

enum { input_bytes = 32768, message_bytes = 160 };

struct ccodecs_png_decoder {
  png_structp library;
  png_infop info;
  jmp_buf escape;
  ccodecs_status failure;
  char message[message_bytes];
  char profile_warning[message_bytes];

  int input;
  ccodecs_byte_range *ranges;
  size_t range_count;
  size_t range;
  int64_t range_offset;
  size_t buffered;
  size_t used;
  uint8_t *inserted;
  size_t inserted_count;
  int64_t shortened;
  uint8_t shortened_length[4];
  uint8_t buffer[input_bytes];
};

static void jump(ccodecs_png_decoder *decoder, ccodecs_status failure, const char *message) {
  strncpy(decoder->message, message, message_bytes - 1);
  if (decoder->failure == ccodecs_ok) decoder->failure = failure;
  longjmp(decoder->escape, 1);
}

static void on_error(png_structp library, png_const_charp message) {
  jump(png_get_error_ptr(library), ccodecs_failed, message);
}

static void on_warning(png_structp library, png_const_charp message) {
  static const char chunk[] = "iCCP: ";
  ccodecs_png_decoder *decoder = png_get_error_ptr(library);
  if (strncmp(message, chunk, sizeof chunk - 1) != 0) return;
  strncpy(decoder->profile_warning, message + sizeof chunk - 1, message_bytes - 1);
}

static png_voidp allocate(png_structp library, png_alloc_size_t bytes) {
  void *memory = malloc(bytes);
  ccodecs_png_decoder *decoder = png_get_mem_ptr(library);
  if (memory == NULL) decoder->failure = ccodecs_out_of_memory;
  return memory;
}

static void release(png_structp library, png_voidp memory) {
  (void)library;
  free(memory);
}

void ccodecs_png_shorten_chunk(ccodecs_png_decoder *decoder, int64_t offset, uint32_t length) {
  decoder->shortened = offset;
  png_save_uint_32(decoder->shortened_length, length);
}

/// Puts the shortened length where the buffer holds its place.
static void overlay_length(ccodecs_png_decoder *decoder, int64_t start) {
  for (int64_t index = 0; index < 4; index++) {
    int64_t place = decoder->shortened + index - start;
    if (place >= 0 && place < (int64_t)decoder->buffered)
      decoder->buffer[place] = decoder->shortened_length[index];
  }
}

/// Copies bytes that were inserted; ranges count them from -1 downwards.
static int64_t read_inserted(ccodecs_png_decoder *decoder, size_t count,
                             const ccodecs_byte_range *range) {
  int64_t start = -1 - range->offset + decoder->range_offset;
  int64_t left = (int64_t)decoder->inserted_count - start;
  if (left <= 0) return 0;
  if ((int64_t)count > left) count = (size_t)left;
  memcpy(decoder->buffer, decoder->inserted + start, count);
  return (int64_t)count;
}

/// Refills the empty buffer from the current range; false at the end of the last.
static bool refill(ccodecs_png_decoder *decoder) {
  while (decoder->range < decoder->range_count) {
    const ccodecs_byte_range *range = &decoder->ranges[decoder->range];
    int64_t left = range->length - decoder->range_offset;
    if (left > 0) {
      size_t count = left < input_bytes ? (size_t)left : input_bytes;
      int64_t got = range->offset < 0
                        ? read_inserted(decoder, count, range)
                        : ccodecs_read_at(decoder->input, decoder->buffer, count,
                                          range->offset + decoder->range_offset);
      if (got < 0) jump(decoder, ccodecs_input_failed, strerror(errno));
      if (got == 0) return false;
      decoder->buffered = (size_t)got;
      decoder->used = 0;
      if (range->offset >= 0) overlay_length(decoder, range->offset + decoder->range_offset);
      decoder->range_offset += got;
      return true;
    }
    decoder->range++;
    decoder->range_offset = 0;
  }
  return false;
}

static void read_bytes(png_structp library, png_bytep bytes, size_t count) {
  ccodecs_png_decoder *decoder = png_get_io_ptr(library);
  while (count > 0) {
    if (decoder->used == decoder->buffered && !refill(decoder))
      jump(decoder, ccodecs_ended, "unexpected end of the input");
    size_t available = decoder->buffered - decoder->used;
    size_t taken = count < available ? count : available;
    memcpy(bytes, decoder->buffer + decoder->used, taken);
    decoder->used += taken;
    bytes += taken;
    count -= taken;
  }
}

static bool adopt_ranges(ccodecs_png_decoder *decoder, const ccodecs_byte_range *ranges,
                         size_t count) {
  decoder->ranges = calloc(count, sizeof *ranges);
  if (decoder->ranges == NULL) return false;
  memcpy(decoder->ranges, ranges, count * sizeof *ranges);
  decoder->range_count = count;
  return true;
}

static bool create_library(ccodecs_png_decoder *decoder, size_t chunk_bytes) {
  if (setjmp(decoder->escape)) return false;
  decoder->library = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, decoder, on_error, on_warning,
                                              decoder, allocate, release);
  if (decoder->library == NULL) return false;
  decoder->info = png_create_info_struct(decoder->library);
  if (decoder->info == NULL) return false;
  png_set_read_fn(decoder->library, decoder, read_bytes);
  png_set_benign_errors(decoder->library, 1);
  png_set_crc_action(decoder->library, PNG_CRC_DEFAULT, PNG_CRC_QUIET_USE);
  png_set_chunk_malloc_max(decoder->library, chunk_bytes);
  return true;
}

static void free_session(ccodecs_png_decoder *decoder) {
  png_destroy_read_struct(&decoder->library, &decoder->info, NULL);
  free(decoder->ranges);
  free(decoder->inserted);
  free(decoder);
}

ccodecs_png_decoder *ccodecs_png_create(int input, const ccodecs_byte_range *ranges, size_t count,
                                        size_t chunk_bytes) {
  ccodecs_png_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->input = input;
  decoder->shortened = -4;
  if (!adopt_ranges(decoder, ranges, count) || !create_library(decoder, chunk_bytes)) {
    free_session(decoder);
    return NULL;
  }
  ccodecs_session_began();
  return decoder;
}

bool ccodecs_png_insert(ccodecs_png_decoder *decoder, const uint8_t *bytes, size_t count) {
  uint8_t *copy = malloc(count);
  if (copy == NULL) return false;
  memcpy(copy, bytes, count);
  free(decoder->inserted);
  decoder->inserted = copy;
  decoder->inserted_count = count;
  png_set_crc_action(decoder->library, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
  return true;
}

void ccodecs_png_destroy(ccodecs_png_decoder *decoder) {
  free_session(decoder);
  ccodecs_session_ended();
}

const char *ccodecs_png_message(const ccodecs_png_decoder *decoder) { return decoder->message; }

const char *ccodecs_png_profile_warning(const ccodecs_png_decoder *decoder) {
  return decoder->profile_warning;
}

static void describe_profile(ccodecs_png_decoder *decoder, ccodecs_png_header *header) {
  png_charp name;
  png_bytep profile = NULL;
  png_uint_32 bytes = 0;
  int method;
  if (png_get_iCCP(decoder->library, decoder->info, &name, &method, &profile, &bytes) == 0) return;
  header->profile = profile;
  header->profile_bytes = bytes;
}

ccodecs_status ccodecs_png_read_header(ccodecs_png_decoder *decoder, ccodecs_png_header *header) {
  if (setjmp(decoder->escape)) return decoder->failure;
  png_read_info(decoder->library, decoder->info);
  header->width = png_get_image_width(decoder->library, decoder->info);
  header->height = png_get_image_height(decoder->library, decoder->info);
  header->bit_depth = png_get_bit_depth(decoder->library, decoder->info);
  header->colour_type = png_get_color_type(decoder->library, decoder->info);
  header->interlaced =
      png_get_interlace_type(decoder->library, decoder->info) != PNG_INTERLACE_NONE;
  header->has_transparency_chunk =
      png_get_valid(decoder->library, decoder->info, PNG_INFO_tRNS) != 0;
  header->profile = NULL;
  header->profile_bytes = 0;
  describe_profile(decoder, header);
  return ccodecs_ok;
}

static bool is_little_endian(void) {
  const uint16_t one = 1;
  return *(const uint8_t *)&one == 1;
}

ccodecs_status ccodecs_png_start(ccodecs_png_decoder *decoder, ccodecs_png_rows *rows) {
  if (setjmp(decoder->escape)) return decoder->failure;
  png_set_expand(decoder->library);
  if (is_little_endian()) png_set_swap(decoder->library);
  rows->passes = png_set_interlace_handling(decoder->library);
  png_read_update_info(decoder->library, decoder->info);
  rows->channels = png_get_channels(decoder->library, decoder->info);
  rows->bit_depth = png_get_bit_depth(decoder->library, decoder->info);
  rows->bytes = png_get_rowbytes(decoder->library, decoder->info);
  return ccodecs_ok;
}

ccodecs_status ccodecs_png_read_row(ccodecs_png_decoder *decoder, uint8_t *row,
                                    bool fills_blocks) {
  if (setjmp(decoder->escape)) return decoder->failure;
  png_read_row(decoder->library, fills_blocks ? NULL : row, fills_blocks ? row : NULL);
  return ccodecs_ok;
}

bool ccodecs_png_has_all_rows(const ccodecs_png_decoder *decoder) {
  enum { adam7_passes = 7 };
  if (png_get_interlace_type(decoder->library, decoder->info) != PNG_INTERLACE_NONE)
    return png_get_current_pass_number(decoder->library) >= adam7_passes;
  return png_get_current_row_number(decoder->library) >=
         png_get_image_height(decoder->library, decoder->info);
}
