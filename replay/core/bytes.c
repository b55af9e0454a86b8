//===-- replay/core/bytes.c - Bytes, and numbers packed into them ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/core/bytes.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool set_error_text(struct error *error, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(error->text, sizeof error->text, format, arguments);
  va_end(arguments);
  return false;
}

bool same_bytes(struct bytes a, struct bytes b) {
  return a.size == b.size && (!a.size || memcmp(a.data, b.data, a.size) == 0);
}

struct bytes bytes_of(const char *text) {
  return (struct bytes){(const uint8_t *)text, strlen(text)};
}

bool is_text(struct bytes a, const char *text) {
  return same_bytes(a, bytes_of(text));
}

int compare_bytes(struct bytes a, struct bytes b) {
  const size_t shorter = a.size < b.size ? a.size : b.size;
  const int order = shorter ? memcmp(a.data, b.data, shorter) : 0;
  return order ? order : (a.size > b.size) - (a.size < b.size);
}

uint8_t *reserve(struct buffer *to, size_t more) {
  const uint64_t wanted = (uint64_t)to->size + more;
  if (wanted > to->capacity) {
    const size_t twice = 2 * to->capacity;
    to->capacity = wanted > twice ? wanted : twice;
    to->data = reallocate(to->data, to->capacity);
  }
  return to->data + to->size;
}

void append(struct buffer *to, const void *data, size_t size) {
  if (!size)
    return;
  memcpy(reserve(to, size), data, size);
  to->size += size;
}

void append_number(struct buffer *to, uint64_t number) {
  uint8_t packed[10];
  unsigned count = 0;
  for (; number >= 0x80; number >>= 7)
    packed[count++] = (uint8_t)(number | 0x80);
  packed[count++] = (uint8_t)number;
  append(to, packed, count);
}

void append_bytes(struct buffer *to, struct bytes bytes) {
  append_number(to, bytes.size);
  append(to, bytes.data, bytes.size);
}

void append_format(struct buffer *to, const char *format, ...) {
  char text[160];
  va_list arguments;
  va_start(arguments, format);
  const int size = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  append(to, text, size < (int)sizeof text ? (size_t)size : sizeof text - 1);
}

void *grow(void *list, size_t count, size_t *room, size_t size) {
  if (count < *room)
    return list;
  *room = *room ? 2 * *room : 64;
  return reallocate(list, *room * size);
}

static uint64_t broken(struct packed *from) {
  from->failed = true;
  from->left.size = 0;
  return 0;
}

uint64_t read_number(struct packed *from) {
  uint64_t value = 0;
  for (unsigned shift = 0; from->left.size && shift < 64; shift += 7) {
    const uint8_t byte = *from->left.data++;
    --from->left.size;
    value |= (uint64_t)(byte & 0x7f) << shift;
    if (!(byte & 0x80))
      return shift == 63 && byte > 1 ? broken(from) : value;
  }
  return broken(from);
}

struct bytes read_bytes(struct packed *from) {
  struct bytes found = {from->left.data, read_number(from)};
  if (found.size > from->left.size) {
    broken(from);
    return (struct bytes){0};
  }
  found.data = from->left.data;
  from->left.data += found.size;
  from->left.size -= found.size;
  return found;
}
