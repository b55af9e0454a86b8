//===-- libc-shim/wide/conversion.h - States of conversions -----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The contents of an mbstate_t in UTF-8. In the C locale it is not used.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_CONVERSION_H
#define GPUEXEC_LIBC_CONVERSION_H

#include <stdlib.h>
#include <wchar.h>

#define CONVERSION_INVALID ((size_t)-1)
#define CONVERSION_INCOMPLETE ((size_t)-2)
/// The character returned was stored by the call before; nothing was read.
#define CONVERSION_NOTHING_READ ((size_t)-3)

/// Negative values of mbstate_t's __count. 0 is the initial state. A positive
/// value means an incomplete character: 16 times its length in bytes, plus the
/// number of missing bytes; __wch has the bits of the bytes read.
enum {
  CONVERSION_LOW_LEFT = -1,     ///< __wch: the low surrogate to return next
  CONVERSION_HIGH_WAITING = -2, ///< __wch: a high surrogate without its low one
  /// Minus the number (1 to 3) of units of UTF-8 that mbrtoc8() has not
  /// returned yet: __wch has them, the next in its lowest byte.
  CONVERSION_UNITS_LEFT = -2,
};

/// Functions that have a state of their own, used when the caller passes null.
enum own_conversion {
  OWN_MBRTOWC,
  OWN_MBRLEN,
  OWN_MBSRTOWCS,
  OWN_MBRTOC16,
  OWN_MBRTOC32,
  OWN_C16RTOMB,
  OWN_MBRTOC8,
  OWN_C8RTOMB
};

/// The calling thread's state of that function; null with errno when there is
/// no memory.
mbstate_t *__own_conversion(enum own_conversion);

/// mbrtowc() in UTF-8, except that the result for a null character is 1. None
/// of the pointers but `to` may be null.
size_t __utf8_decode(wchar_t *to, const char *from, size_t size,
                     mbstate_t *state);

#endif
