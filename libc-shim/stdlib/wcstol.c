//===-- libc-shim/stdlib/wcstol.c - Wide text to integers -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See strtol.inc. They replace newlib's functions, which set errno when there
// is no number.
//===----------------------------------------------------------------------===//
#include <inttypes.h>
#include <limits.h>
#include <wchar.h>
#include <wctype.h>

#define CHARACTER wchar_t
#define IS_SPACE(c) iswspace((wint_t)(c))
#include "libc-shim/stdlib/strtol.inc"

#define NUMBER(name, type, most, is_signed)                                    \
  type name(const wchar_t *restrict text, wchar_t **restrict end, int base) {  \
    return (type)parse(text, end, base, most, is_signed);                      \
  }
NUMBER(wcstol, long, LONG_MAX, true)
NUMBER(wcstoll, long long, LLONG_MAX, true)
NUMBER(wcstoimax, intmax_t, INTMAX_MAX, true)
NUMBER(wcstoul, unsigned long, ULONG_MAX, false)
NUMBER(wcstoull, unsigned long long, ULLONG_MAX, false)
NUMBER(wcstoumax, uintmax_t, UINTMAX_MAX, false)
NUMBER(wcstoq, long long, LLONG_MAX, true)
NUMBER(wcstouq, unsigned long long, ULLONG_MAX, false)
