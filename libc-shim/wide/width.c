//===-- libc-shim/wide/width.c - Columns that characters take -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As in glibc: 0 for characters that combine with the one before, 2 for wide
// characters of East Asia and emoji, -1 for characters that cannot be printed.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include "libc-shim/wide/unicode.h"
#include <wchar.h>

static __attribute__((noinline)) int beyond_ascii(uint32_t c) {
  const uint32_t bits = c <= UNICODE_LAST ? unicode_properties_of(c)->bits : 0;
  return bits & UNICODE_NARROW  ? 1
         : bits & UNICODE_WIDE  ? 2
         : bits & UNICODE_PRINT ? 0
                                : -1;
}

int wcwidth(const wchar_t wide) {
  const uint32_t c = (uint32_t)wide;
  if (c < 0x7f)
    return c >= ' ' ? 1 : c ? -1 : 0;
  return locale_is_utf8() ? beyond_ascii(c) : -1;
}

int wcswidth(const wchar_t *text, size_t size) {
  int columns = 0;
  for (; size && *text; --size, ++text) {
    const int width = wcwidth(*text);
    if (width < 0)
      return -1;
    columns += width;
  }
  return columns;
}
