//===-- replay/player/bytes.c - Bytes, and numbers packed into them -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "replay/player/bytes.h"
#include <stdlib.h>
#include <string.h>

bool same_bytes(struct bytes a, struct bytes b) {
  return a.size == b.size && (!a.size || memcmp(a.data, b.data, a.size) == 0);
}

bool is_text(struct bytes a, const char *text) {
  return same_bytes(a, (struct bytes){(const uint8_t *)text, strlen(text)});
}

char *text_of(struct bytes bytes) {
  const size_t size =
      bytes.size ? strnlen((const char *)bytes.data, bytes.size) : 0;
  char *text = allocate(size + 1, 1);
  if (size)
    memcpy(text, bytes.data, size);
  return text;
}

uint8_t *reserve(struct buffer *to, size_t more) {
  if (more > SIZE_MAX / 4 - to->size)
    fail(STATUS_FAILED, "out of memory");
  if (to->size + more > to->capacity) {
    const size_t wanted = to->size + more, twice = 2 * to->capacity;
    const size_t capacity = wanted > twice ? wanted : twice;
    uint8_t *data = realloc(to->data, capacity);
    if (!data)
      fail(STATUS_FAILED, "out of memory");
    to->data = data;
    to->capacity = capacity;
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
