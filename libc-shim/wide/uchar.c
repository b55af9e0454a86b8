//===-- libc-shim/wide/uchar.c - UTF-16 and UTF-32 ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C17's <uchar.h> on top of the wide functions: wchar_t is UTF-32. In the C
// locale no character needs two units of UTF-16.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include "libc-shim/wide/conversion.h"
#include <errno.h>
#include <string.h>
#include <uchar.h>

/// `state`, or, if that is null, the thread's state `own`; in the C locale
/// `empty`. Null without memory.
static mbstate_t *state_or(mbstate_t *state, mbstate_t *empty,
                           enum own_conversion own) {
  return state ? state : locale_is_utf8() ? __own_conversion(own) : empty;
}

static size_t to_utf32(char32_t *to, const char *from, size_t size,
                       mbstate_t *state) {
  wchar_t wide;
  if (!state)
    return CONVERSION_INVALID;
  size_t result =
      mbrtowc(from ? &wide : NULL, from ? from : "", from ? size : 1, state);
  if (from && to && result <= size)
    *to = (char32_t)wide;
  return result;
}

size_t mbrtoc32(char32_t *restrict to, const char *restrict from, size_t size,
                mbstate_t *restrict state) {
  mbstate_t empty = {0};
  return to_utf32(to, from, size, state_or(state, &empty, OWN_MBRTOC32));
}

size_t mbrtoc16(char16_t *restrict to, const char *restrict from, size_t size,
                mbstate_t *restrict state) {
  char32_t wide;
  mbstate_t empty = {0};
  state = state_or(state, &empty, OWN_MBRTOC16);
  const bool utf8 = locale_is_utf8();
  if (utf8 && state && state->__count == CONVERSION_LOW_LEFT) {
    if (to)
      *to = (char16_t)state->__value.__wch;
    memset(state, 0, sizeof *state);
    return CONVERSION_NOTHING_READ;
  }
  size_t result = to_utf32(&wide, from, size, state);
  if (!from || result > size)
    return result;
  if (utf8 && wide > 0xffff) {
    state->__count = CONVERSION_LOW_LEFT;
    state->__value.__wch = 0xdc00 | (wide & 0x3ff);
    wide = 0xd800 | (wide - 0x10000) >> 10;
  }
  if (to)
    *to = (char16_t)wide;
  return result;
}

size_t c32rtomb(char *restrict to, char32_t c, mbstate_t *restrict state) {
  mbstate_t own = {0};
  return wcrtomb(to, to ? (wchar_t)c : 0, state ? state : &own);
}

/// c16rtomb() in UTF-8: the first of two surrogates waits for the second.
static size_t from_utf16(char *to, char16_t c, mbstate_t *state) {
  char32_t wide = c;
  const bool waiting = state->__count == CONVERSION_HIGH_WAITING;
  if (!to) {
    memset(state, 0, sizeof *state);
    return 1;
  }
  if (!waiting && c >= 0xd800 && c < 0xdc00) {
    state->__count = CONVERSION_HIGH_WAITING;
    state->__value.__wch = c;
    return 0;
  }
  if (waiting)
    wide = 0x10000 + ((state->__value.__wch - 0xd800) << 10) + (c - 0xdc00u);
  memset(state, 0, sizeof *state);
  if (waiting && (c < 0xdc00 || c > 0xdfff)) {
    errno = EILSEQ;
    return CONVERSION_INVALID;
  }
  return c32rtomb(to, wide, state);
}

size_t c16rtomb(char *restrict to, char16_t c, mbstate_t *restrict state) {
  if (!locale_is_utf8())
    return c32rtomb(to, c, state);
  state = state_or(state, NULL, OWN_C16RTOMB);
  return state ? from_utf16(to, c, state) : CONVERSION_INVALID;
}
