//===-- libc-shim/wide/conversion.h - States of conversions -----*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an mbstate_t holds in UTF-8. In the C locale it holds nothing.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_CONVERSION_H
#define GPUEXEC_LIBC_CONVERSION_H

#include <stdlib.h>
#include <wchar.h>

#define CONVERSION_INVALID ((size_t)-1)
#define CONVERSION_INCOMPLETE ((size_t)-2)
#define CONVERSION_NOTHING_READ ((size_t)-3) ///< a character that was left over

/// Values of mbstate_t's __count besides 0, which is the initial state. Else it
/// is 16 times the length of the character that has begun, plus the number of
/// bytes that are missing, and __wch has the bits of those that were read.
enum {
  CONVERSION_LOW_LEFT = -1,     ///< __wch: the surrogate to return next
  CONVERSION_HIGH_WAITING = -2, ///< __wch: the surrogate that came first
};

/// Functions that keep a state of their own for a caller that gives none.
enum own_conversion {
  OWN_MBRTOWC,
  OWN_MBRLEN,
  OWN_MBSRTOWCS,
  OWN_MBRTOC16,
  OWN_MBRTOC32,
  OWN_C16RTOMB
};

/// The calling thread's own state of that function; null with errno set when
/// memory is out.
mbstate_t *__own_conversion(enum own_conversion);

/// mbrtowc() in UTF-8, except that the result for a null character is 1. None
/// of the pointers but `to` may be null.
size_t __utf8_decode(wchar_t *to, const char *from, size_t size,
                     mbstate_t *state);

#endif
