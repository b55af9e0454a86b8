//===-- libc-shim/wide/char8.c - UTF-8 as units ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C23's mbrtoc8() and c8rtomb(). Their units are UTF-8 in every locale; in the
// C locale a multibyte character is one byte of ASCII.
//===----------------------------------------------------------------------===//
#include "libc-shim/wide/conversion.h"
#include "libc-shim/wide/utf8.h"
#include <errno.h>
#include <string.h>
#include <uchar.h>

/// Takes the next of the units that the state has kept.
static unsigned char take_unit(mbstate_t *state) {
  const unsigned units = (unsigned)state->__value.__wch;
  state->__value.__wch = units >> 8;
  if (++state->__count == CONVERSION_UNITS_LEFT)
    memset(state, 0, sizeof *state);
  return (unsigned char)units;
}

size_t mbrtoc8(char8_t *restrict to, const char *restrict from, size_t size,
               mbstate_t *restrict state) {
  if (!state && !(state = __own_conversion(OWN_MBRTOC8)))
    return CONVERSION_INVALID;
  if (!from)
    to = NULL, from = "", size = 1;
  if (state->__count < CONVERSION_UNITS_LEFT) {
    const unsigned char unit = take_unit(state);
    if (to)
      *to = unit;
    return CONVERSION_NOTHING_READ;
  }
  char32_t character = 0;
  const size_t used = mbrtoc32(&character, from, size, state);
  if (used > UTF8_MOST_BYTES)
    return used;
  char units[UTF8_MOST_BYTES];
  const int length = utf8_encode(units, character);
  if (to)
    *to = (unsigned char)units[0];
  unsigned kept = 0;
  for (int i = length - 1; i > 0; --i)
    kept = kept << 8 | (unsigned char)units[i];
  if (length > 1) {
    state->__count = CONVERSION_UNITS_LEFT - (length - 1);
    state->__value.__wch = kept;
  }
  return used;
}

size_t c8rtomb(char *restrict to, char8_t unit, mbstate_t *restrict state) {
  if (!state && !(state = __own_conversion(OWN_C8RTOMB)))
    return CONVERSION_INVALID;
  if (!to) {
    memset(state, 0, sizeof *state);
    return 1;
  }
  wchar_t character = 0;
  const char byte = (char)unit;
  const size_t used = __utf8_decode(&character, &byte, 1, state);
  if (used == CONVERSION_INVALID)
    return used;
  if (used == CONVERSION_INCOMPLETE)
    return 0; // the character goes on
  mbstate_t whole = {0};
  return c32rtomb(to, (char32_t)character, &whole);
}
