//===-- libc-shim/wide/unicode.h - What Unicode says of a character -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three tables lead from a character to its properties; groups of characters
// with equal properties share their entries. make_tables.py makes the tables
// from Debian's unicode-data.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_UNICODE_H
#define GPUEXEC_LIBC_UNICODE_H

#include <stdint.h>

/// Bits of unicode_properties::bits.
enum {
  UNICODE_ALPHA = 1 << 0,
  UNICODE_LOWER = 1 << 1,
  UNICODE_UPPER = 1 << 2,
  UNICODE_SPACE = 1 << 3,
  UNICODE_BLANK = 1 << 4,
  UNICODE_CONTROL = 1 << 5,
  UNICODE_PRINT = 1 << 6,
  UNICODE_COMBINING = 1 << 7,
  UNICODE_COMBINING_LEVEL3 = 1 << 8, ///< combining, not above or below a letter
  UNICODE_NARROW = 1 << 9,           ///< takes one column of a terminal
  UNICODE_WIDE = 1 << 10,            ///< takes two columns
};

typedef struct {
  int32_t to_upper, to_lower, to_title; ///< differences to add to the character
  uint32_t bits;
} unicode_properties;

enum {
  UNICODE_LOW_BITS = 4,   ///< bits of a character that are its place in a group
  UNICODE_MIDDLE_BITS = 5 ///< bits above these: the group's place
};
extern const uint8_t __unicode_top[], __unicode_low[];
extern const uint16_t __unicode_middle[];
extern const unicode_properties __unicode_properties[];

enum { UNICODE_LAST = 0x10ffff };

// For Latin letters with accents, the letter of ASCII without them; 0 if there
// is none.
enum {
  UNICODE_LATIN_FIRST = 0xc0,
  UNICODE_LATIN_COUNT = 0x250 - UNICODE_LATIN_FIRST,
  UNICODE_LATIN2_FIRST = 0x1e00,
  UNICODE_LATIN2_COUNT = 0x1f00 - UNICODE_LATIN2_FIRST
};
extern const char __unicode_latin_letters[UNICODE_LATIN_COUNT];
extern const char __unicode_latin2_letters[UNICODE_LATIN2_COUNT];

/// The properties of a character up to UNICODE_LAST.
static inline const unicode_properties *unicode_properties_of(uint32_t c) {
  const uint32_t group = c >> UNICODE_LOW_BITS;
  const uint32_t above = __unicode_top[group >> UNICODE_MIDDLE_BITS];
  const uint32_t middle =
      __unicode_middle[above << UNICODE_MIDDLE_BITS |
                       (group & ((1u << UNICODE_MIDDLE_BITS) - 1))];
  const uint8_t which = __unicode_low[middle << UNICODE_LOW_BITS |
                                      (c & ((1u << UNICODE_LOW_BITS) - 1))];
  return &__unicode_properties[which];
}

#endif
