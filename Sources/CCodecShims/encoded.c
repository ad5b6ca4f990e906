#include "encoded.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ccodecs_trim_memory(void) { malloc_trim(0); }

void ccodecs_encoded_free(ccodecs_encoded *encoded) {
  free(encoded->bytes);
  encoded->bytes = NULL;
}

const char *ccodecs_encoded_message(const ccodecs_encoded *encoded) { return encoded->message; }

void ccodecs_encoded_set_message(ccodecs_encoded *encoded, const char *message) {
  snprintf(encoded->message, sizeof encoded->message, "%s", message);
}

bool ccodecs_encoded_reserve(ccodecs_encoded *encoded, size_t count) {
  if (encoded->capacity - encoded->count >= count) return true;
  size_t needed;
  if (__builtin_add_overflow(encoded->count, count, &needed)) return false;
  size_t capacity = encoded->capacity > SIZE_MAX / 2 ? needed : encoded->capacity * 2;
  if (capacity < needed) capacity = needed;
  uint8_t *bytes = realloc(encoded->bytes, capacity);
  if (bytes == NULL) {
    encoded->out_of_memory = true;
    return false;
  }
  encoded->bytes = bytes;
  encoded->capacity = capacity;
  return true;
}

bool ccodecs_encoded_append(ccodecs_encoded *encoded, const void *bytes, size_t count) {
  if (!ccodecs_encoded_reserve(encoded, count)) return false;
  memcpy(encoded->bytes + encoded->count, bytes, count);
  encoded->count += count;
  return true;
}
