//===-- libc-shim/wide/utf8.h - Characters of UTF-8 -------------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UTF-8 as Unicode defines it: up to four bytes, no surrogates, no character in
// more bytes than it needs.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_UTF8_H
#define GPUEXEC_LIBC_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_MOST_BYTES = 4 };

/// Is the number that of a character?
static inline bool utf8_is_character(uint32_t number) {
  return number < 0xd800 || (number >= 0xe000 && number <= 0x10ffff);
}

/// The number of bytes of a character; 0 for a number that is no character.
static inline int utf8_length(uint32_t number) {
  return number < 0x80                ? 1
         : number < 0x800             ? 2
         : !utf8_is_character(number) ? 0
         : number < 0x10000           ? 3
                                      : 4;
}

/// Writes a character. Returns its length in bytes, or 0 if the number is no
/// character.
static inline int utf8_encode(char to[UTF8_MOST_BYTES], uint32_t number) {
  const int length = utf8_length(number);
  for (int i = length - 1; i > 0; --i, number >>= 6)
    to[i] = (char)(0x80 | (number & 0x3f));
  if (length)
    to[0] = (char)(length == 1 ? number : (0xf00u >> length | number));
  return length;
}

/// The length of a character that begins with the byte; 0 if none does.
static inline int utf8_announced(unsigned char first) {
  return first < 0x80   ? 1
         : first < 0xc2 ? 0
         : first < 0xe0 ? 2
         : first < 0xf0 ? 3
         : first < 0xf5 ? 4
                        : 0;
}

#endif
