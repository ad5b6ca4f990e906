#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

#include "JPEGDecoding.h"
#include "sessions.h"

enum { input_bytes = 65536, max_planes = 3 };

struct ccodecs_jpeg_decoder {
  struct jpeg_decompress_struct library;
  struct jpeg_error_mgr errors;
  struct jpeg_source_mgr source;
  jmp_buf escape;
  ccodecs_status failure;
  char message[JMSG_LENGTH_MAX];

  int input;
  int64_t offset;
  int64_t end;
  JOCTET buffer[input_bytes];

  ccodecs_jpeg_loss loss;
  bool input_ended;
  bool scanned[MAX_COMPONENTS];

  int planes;
  ccodecs_jpeg_plane shapes[max_planes];
  size_t strides[max_planes];
  JSAMPLE *strips[max_planes];
  JSAMPROW *rows[max_planes];
};

static ccodecs_jpeg_decoder *session_of(j_common_ptr library) {
  return (ccodecs_jpeg_decoder *)library;
}

static ccodecs_status status_of(int code) {
  switch (code) {
  case JERR_OUT_OF_MEMORY:
    return ccodecs_out_of_memory;
  case JERR_SOF_UNSUPPORTED:
  case JERR_BAD_PRECISION:
  case JERR_FRACT_SAMPLE_NOTIMPL:
  case JERR_ARITH_NOTIMPL:
  case JERR_CONVERSION_NOTIMPL:
  case JERR_CCIR601_NOTIMPL:
  case JERR_NOT_COMPILED:
    return ccodecs_unsupported;
  default:
    return ccodecs_failed;
  }
}

static void on_error(j_common_ptr library) {
  ccodecs_jpeg_decoder *decoder = session_of(library);
  library->err->format_message(library, decoder->message);
  decoder->failure = status_of(library->err->msg_code);
  // Past its end the file is read as end markers, which make no sense within a segment.
  if (decoder->failure == ccodecs_failed && decoder->input_ended) decoder->failure = ccodecs_ended;
  longjmp(decoder->escape, 1);
}

static void on_message(j_common_ptr library, int level) {
  ccodecs_jpeg_decoder *decoder = session_of(library);
  if (level >= 0 || library->err->msg_code != JWRN_HIT_MARKER || decoder->loss.happened) return;
  bool heals = decoder->library.restart_interval != 0 || decoder->library.buffered_image;
  if (decoder->library.unread_marker != JPEG_EOI && heals) return;
  decoder->loss.happened = true;
  decoder->loss.scan = decoder->library.input_scan_number;
  decoder->loss.mcu_row = (int)decoder->library.input_iMCU_row;
}

static void start_source(j_decompress_ptr library) { (void)library; }

static boolean fill_source(j_decompress_ptr library) {
  ccodecs_jpeg_decoder *decoder = session_of((j_common_ptr)library);
  int64_t left = decoder->end > decoder->offset ? decoder->end - decoder->offset : 0;
  size_t wanted = left < input_bytes ? (size_t)left : input_bytes;
  int64_t got = wanted == 0
                    ? 0
                    : ccodecs_read_at(decoder->input, decoder->buffer, wanted, decoder->offset);
  if (got < 0) {
    strncpy(decoder->message, strerror(errno), sizeof decoder->message - 1);
    decoder->failure = ccodecs_input_failed;
    longjmp(decoder->escape, 1);
  }
  decoder->offset += got;
  if (got == 0) {
    decoder->input_ended = true;
    decoder->buffer[0] = 0xFF;
    decoder->buffer[1] = JPEG_EOI;
    got = 2;
  }
  library->src->next_input_byte = decoder->buffer;
  library->src->bytes_in_buffer = (size_t)got;
  return TRUE;
}

static void skip_source(j_decompress_ptr library, long count) {
  ccodecs_jpeg_decoder *decoder = session_of((j_common_ptr)library);
  struct jpeg_source_mgr *source = library->src;
  if (count <= 0) return;
  if ((size_t)count <= source->bytes_in_buffer) {
    source->next_input_byte += count;
    source->bytes_in_buffer -= (size_t)count;
  } else {
    decoder->offset += count - (long)source->bytes_in_buffer;
    source->bytes_in_buffer = 0;
  }
}

static void end_source(j_decompress_ptr library) { (void)library; }

ccodecs_jpeg_decoder *ccodecs_jpeg_create(int input, int64_t start, int64_t end) {
  ccodecs_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->library.err = jpeg_std_error(&decoder->errors);
  decoder->errors.error_exit = on_error;
  decoder->errors.emit_message = on_message;
  decoder->input = input;
  decoder->offset = start;
  decoder->end = end;
  if (setjmp(decoder->escape)) {
    jpeg_destroy_decompress(&decoder->library);
    free(decoder);
    return NULL;
  }
  jpeg_create_decompress(&decoder->library);
  decoder->source.init_source = start_source;
  decoder->source.fill_input_buffer = fill_source;
  decoder->source.skip_input_data = skip_source;
  decoder->source.resync_to_restart = jpeg_resync_to_restart;
  decoder->source.term_source = end_source;
  decoder->library.src = &decoder->source;
  ccodecs_session_began();
  return decoder;
}

void ccodecs_jpeg_destroy(ccodecs_jpeg_decoder *decoder) {
  jpeg_destroy_decompress(&decoder->library);
  for (int plane = 0; plane < max_planes; plane++) {
    free(decoder->rows[plane]);
    free(decoder->strips[plane]);
  }
  free(decoder);
  ccodecs_session_ended();
}

const char *ccodecs_jpeg_message(const ccodecs_jpeg_decoder *decoder) { return decoder->message; }

static ccodecs_jpeg_colour colour_of(J_COLOR_SPACE space) {
  switch (space) {
  case JCS_GRAYSCALE:
    return ccodecs_jpeg_gray;
  case JCS_RGB:
    return ccodecs_jpeg_rgb;
  case JCS_YCbCr:
    return ccodecs_jpeg_ycbcr;
  case JCS_CMYK:
    return ccodecs_jpeg_cmyk;
  case JCS_YCCK:
    return ccodecs_jpeg_ycck;
  default:
    return ccodecs_jpeg_other;
  }
}

ccodecs_status ccodecs_jpeg_read_header(ccodecs_jpeg_decoder *decoder,
                                        ccodecs_jpeg_header *header) {
  struct jpeg_decompress_struct *library = &decoder->library;
  if (setjmp(decoder->escape)) return decoder->failure;
  jpeg_read_header(library, TRUE);
  header->width = (int)library->image_width;
  header->height = (int)library->image_height;
  header->components = library->num_components;
  header->colour = colour_of(library->jpeg_color_space);
  header->arithmetic = library->arith_code;
  header->multiple_scans = jpeg_has_multiple_scans(library);
  header->first_component_is_full =
      library->comp_info[0].h_samp_factor == library->max_h_samp_factor &&
      library->comp_info[0].v_samp_factor == library->max_v_samp_factor;
  return ccodecs_ok;
}

static void describe_planes(ccodecs_jpeg_decoder *decoder) {
  struct jpeg_decompress_struct *library = &decoder->library;
  decoder->planes = library->num_components;
  for (int plane = 0; plane < decoder->planes; plane++) {
    const jpeg_component_info *component = &library->comp_info[plane];
    decoder->shapes[plane].width = (int)component->downsampled_width;
    decoder->shapes[plane].height = (int)component->downsampled_height;
    decoder->shapes[plane].components = 1;
    decoder->shapes[plane].strip_rows = component->v_samp_factor * component->DCT_scaled_size;
    decoder->strides[plane] =
        (size_t)component->width_in_blocks * (size_t)component->DCT_scaled_size;
  }
}

static void describe_pixels(ccodecs_jpeg_decoder *decoder) {
  struct jpeg_decompress_struct *library = &decoder->library;
  decoder->planes = 1;
  decoder->shapes[0].width = (int)library->output_width;
  decoder->shapes[0].height = (int)library->output_height;
  decoder->shapes[0].components = library->output_components;
  decoder->shapes[0].strip_rows = 1;
  decoder->strides[0] = (size_t)library->output_width * (size_t)library->output_components;
}

static bool allocate_strips(ccodecs_jpeg_decoder *decoder) {
  for (int plane = 0; plane < decoder->planes; plane++) {
    size_t count = (size_t)decoder->shapes[plane].strip_rows;
    decoder->strips[plane] = malloc(count * decoder->strides[plane]);
    decoder->rows[plane] = malloc(count * sizeof(JSAMPROW));
    if (decoder->strips[plane] == NULL || decoder->rows[plane] == NULL) return false;
    for (size_t row = 0; row < count; row++)
      decoder->rows[plane][row] = decoder->strips[plane] + row * decoder->strides[plane];
  }
  return true;
}

static J_COLOR_SPACE space_of(ccodecs_jpeg_output output) {
  switch (output) {
  case ccodecs_jpeg_output_planes:
    return JCS_YCbCr;
  case ccodecs_jpeg_output_gray:
    return JCS_GRAYSCALE;
  case ccodecs_jpeg_output_rgb:
    return JCS_RGB;
  case ccodecs_jpeg_output_cmyk:
    return JCS_CMYK;
  }
  return JCS_UNKNOWN;
}

ccodecs_status ccodecs_jpeg_start(ccodecs_jpeg_decoder *decoder, int scale_eighths,
                                  ccodecs_jpeg_output output) {
  struct jpeg_decompress_struct *library = &decoder->library;
  if (setjmp(decoder->escape)) return decoder->failure;
  library->scale_num = (unsigned int)scale_eighths;
  library->scale_denom = 8;
  library->out_color_space = space_of(output);
  library->raw_data_out = output == ccodecs_jpeg_output_planes;
  library->buffered_image = jpeg_has_multiple_scans(library);
  if (library->raw_data_out && library->num_components > max_planes) {
    strcpy(decoder->message, "more than three planes");
    return ccodecs_unsupported;
  }
  jpeg_start_decompress(library);
  if (library->raw_data_out)
    describe_planes(decoder);
  else
    describe_pixels(decoder);
  return allocate_strips(decoder) ? ccodecs_ok : ccodecs_out_of_memory;
}

static void note_scanned_components(ccodecs_jpeg_decoder *decoder) {
  for (int index = 0; index < decoder->library.comps_in_scan; index++)
    decoder->scanned[decoder->library.cur_comp_info[index]->component_index] = true;
}

ccodecs_status ccodecs_jpeg_absorb_scan(ccodecs_jpeg_decoder *decoder, bool *at_end) {
  if (setjmp(decoder->escape)) {
    struct jpeg_decompress_struct *library = &decoder->library;
    if (decoder->failure != ccodecs_ended || library->unread_marker == JPEG_EOI)
      return decoder->failure;
    // The file ends within a table between two scans: what came before it stands.
    library->unread_marker = JPEG_EOI;
  }
  for (;;) {
    int event = jpeg_consume_input(&decoder->library);
    if (event == JPEG_SCAN_COMPLETED) note_scanned_components(decoder);
    *at_end = event == JPEG_REACHED_EOI || event == JPEG_SUSPENDED;
    if (*at_end || event == JPEG_SCAN_COMPLETED) return ccodecs_ok;
  }
}

int ccodecs_jpeg_scans(const ccodecs_jpeg_decoder *decoder) {
  return decoder->library.input_scan_number;
}

int ccodecs_jpeg_missing_bits(const ccodecs_jpeg_decoder *decoder, int component, int index) {
  if (component < 0 || component >= decoder->library.num_components) return -1;
  if (index < 0 || index >= DCTSIZE2) return -1;
  if (decoder->library.coef_bits != NULL) return decoder->library.coef_bits[component][index];
  return decoder->scanned[component] ? 0 : -1;
}

// Where the coefficients lie in their block, row by row (ITU-T T.81 figure A.6): the library keeps
// quantization tables so.
static const unsigned char natural_order[DCTSIZE2] = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

int ccodecs_jpeg_step(const ccodecs_jpeg_decoder *decoder, int component, int index) {
  if (component < 0 || component >= decoder->library.num_components) return 0;
  if (index < 0 || index >= DCTSIZE2) return 0;
  const JQUANT_TBL *table = decoder->library.comp_info[component].quant_table;
  return table == NULL ? 0 : table->quantval[natural_order[index]];
}

int ccodecs_jpeg_components(const ccodecs_jpeg_decoder *decoder) {
  return decoder->library.num_components;
}

int ccodecs_jpeg_block_size(const ccodecs_jpeg_decoder *decoder, int component) {
  return decoder->library.comp_info[component].DCT_scaled_size;
}

bool ccodecs_jpeg_is_dense(const ccodecs_jpeg_decoder *decoder, int component) {
  const struct jpeg_decompress_struct *library = &decoder->library;
  const jpeg_component_info *info = &library->comp_info[component];
  return info->DCT_scaled_size * info->h_samp_factor ==
             library->min_DCT_scaled_size * library->max_h_samp_factor &&
         info->DCT_scaled_size * info->v_samp_factor ==
             library->min_DCT_scaled_size * library->max_v_samp_factor;
}

ccodecs_status ccodecs_jpeg_start_output(ccodecs_jpeg_decoder *decoder, bool smooths_blocks) {
  if (setjmp(decoder->escape)) return decoder->failure;
  decoder->library.do_block_smoothing = smooths_blocks;
  jpeg_start_output(&decoder->library, decoder->library.input_scan_number);
  return ccodecs_ok;
}

int ccodecs_jpeg_mcu_height(const ccodecs_jpeg_decoder *decoder) {
  return decoder->library.max_v_samp_factor * decoder->library.min_DCT_scaled_size;
}

int ccodecs_jpeg_planes(const ccodecs_jpeg_decoder *decoder) { return decoder->planes; }

ccodecs_jpeg_plane ccodecs_jpeg_plane_shape(const ccodecs_jpeg_decoder *decoder, int plane) {
  return decoder->shapes[plane];
}

ccodecs_status ccodecs_jpeg_read_strip(ccodecs_jpeg_decoder *decoder) {
  struct jpeg_decompress_struct *library = &decoder->library;
  if (setjmp(decoder->escape)) return decoder->failure;
  JDIMENSION got;
  if (library->raw_data_out) {
    JDIMENSION lines =
        (JDIMENSION)(library->max_v_samp_factor * library->min_DCT_scaled_size);
    got = jpeg_read_raw_data(library, decoder->rows, lines);
  } else {
    got = jpeg_read_scanlines(library, decoder->rows[0], 1);
  }
  return got > 0 ? ccodecs_ok : ccodecs_ended;
}

void ccodecs_jpeg_release(ccodecs_jpeg_decoder *decoder) {
  if (setjmp(decoder->escape)) return;
  jpeg_abort_decompress(&decoder->library);
}

const uint8_t *ccodecs_jpeg_row(const ccodecs_jpeg_decoder *decoder, int plane, int row) {
  return decoder->rows[plane][row];
}

ccodecs_jpeg_loss ccodecs_jpeg_first_loss(const ccodecs_jpeg_decoder *decoder) {
  return decoder->loss;
}

int64_t ccodecs_jpeg_bytes_read(const ccodecs_jpeg_decoder *decoder) {
  return decoder->offset - (int64_t)decoder->source.bytes_in_buffer;
}

bool ccodecs_jpeg_input_ended(const ccodecs_jpeg_decoder *decoder) { return decoder->input_ended; }
