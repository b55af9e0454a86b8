//===-- libc-shim/wide/case.c - Capital and small wide characters ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A character always becomes one character, as in glibc: the capital of L'\xdf'
// is itself. In the C locale only the letters of ASCII have a case.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include "libc-shim/wide/unicode.h"
#include <string.h>
#include <wctype.h>

// The values of wctrans_t; 0 is no conversion.
enum { UPPER = 1, LOWER, TITLE };

static __attribute__((noinline)) uint32_t beyond_ascii(uint32_t c,
                                                       wctrans_t how) {
  if (c > UNICODE_LAST)
    return c;
  const unicode_properties *of = unicode_properties_of(c);
  return c + (uint32_t)(how == UPPER   ? of->to_upper
                        : how == LOWER ? of->to_lower
                                       : of->to_title);
}

static inline wint_t change(wint_t wide, wctrans_t how, bool utf8) {
  const uint32_t c = (uint32_t)wide;
  if (c < 0x80) {
    const uint32_t first = how == LOWER ? 'A' : 'a'; // of the changed letters
    return (wint_t)(how && c - first < 26 ? c ^ 0x20 : c);
  }
  return (wint_t)(how && utf8 ? beyond_ascii(c, how) : c);
}

wint_t towupper(wint_t c) { return change(c, UPPER, locale_is_utf8()); }
wint_t towlower(wint_t c) { return change(c, LOWER, locale_is_utf8()); }
wint_t towupper_l(wint_t c, locale_t locale) {
  return change(c, UPPER, locale_is_utf8_l(locale));
}
wint_t towlower_l(wint_t c, locale_t locale) {
  return change(c, LOWER, locale_is_utf8_l(locale));
}
wint_t towctrans(wint_t c, wctrans_t how) {
  return change(c, how, locale_is_utf8());
}
wint_t towctrans_l(wint_t c, wctrans_t how, locale_t locale) {
  return change(c, how, locale_is_utf8_l(locale));
}

static wctrans_t find(const char *name, bool utf8) {
  return !strcmp(name, "toupper")           ? UPPER
         : !strcmp(name, "tolower")         ? LOWER
         : utf8 && !strcmp(name, "totitle") ? TITLE
                                            : 0;
}
wctrans_t wctrans(const char *name) { return find(name, locale_is_utf8()); }
wctrans_t wctrans_l(const char *name, locale_t locale) {
  return find(name, locale_is_utf8_l(locale));
}
