//===-- rpc/format/strings.c - The strings of %s --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/format/pieces.h"
#include <string.h>

uint64_t string_address(const struct format *f,
                        const struct string_argument *string,
                        struct format_bytes block) {
  return argument_value(f, (int)string->argument, block);
}

uint64_t string_precision(const struct format *f,
                          const struct string_argument *string,
                          struct format_bytes block) {
  const int64_t precision =
      string->precision_argument >= 0
          ? (int32_t)argument_value(f, string->precision_argument, block)
          : string->precision;
  return precision < 0 ? UINT64_MAX : (uint64_t)precision;
}

uint64_t size_there(struct format_bytes sent, bool wide, uint64_t limit) {
  const uint64_t unit = wide ? 4 : 1;
  uint64_t size;
  if (limit <= 8 || sent.size != 8 || !sent.data[7])
    return 0; // the string itself, which ends in a NUL
  memcpy(&size, sent.data, sizeof size);
  size = ~size;
  return limit < size / unit ? limit * unit : size;
}

size_t put_utf8(char *to, uint32_t character) {
  if (character > 0x10ffff || (character >= 0xd800 && character < 0xe000))
    return 0;
  if (character < 0x80) {
    *to = (char)character;
    return 1;
  }
  const size_t length = character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
  for (size_t i = length - 1; i > 0; --i, character >>= 6)
    to[i] = (char)(0x80 | (character & 0x3f));
  to[0] = (char)(0xf00u >> length | character);
  return length;
}

bool narrow_string(char *to, size_t *size, struct format_bytes wide, bool utf8,
                   uint64_t limit) {
  *size = 0;
  for (size_t at = 0; at + 4 <= wide.size && *size < limit; at += 4) {
    uint32_t character;
    char bytes[4];
    memcpy(&character, wide.data + at, 4);
    const size_t length = put_utf8(bytes, character);
    if (!length || (length > 1 && !utf8))
      return false;
    if (length > limit - *size)
      break;
    memcpy(to + *size, bytes, length);
    *size += length;
    if (!character)
      break;
  }
  return true;
}
