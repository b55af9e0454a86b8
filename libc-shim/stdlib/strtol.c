//===-- libc-shim/stdlib/strtol.c - Text to integers ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See strtol.inc.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/replaceable.h"
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <stdlib.h>

#define CHARACTER char
#define IS_SPACE(c) ((c) == ' ' || ((c) >= '\t' && (c) <= '\r'))
#include "libc-shim/stdlib/strtol.inc"

#define SIGNED(name, type, most)                                               \
  type name(const char *restrict text, char **restrict end, int base) {        \
    return (type)parse(text, end, base, most, true);                           \
  }                                                                            \
  type name##_l(const char *restrict text, char **restrict end, int base,      \
                locale_t locale) {                                             \
    (void)locale;                                                              \
    return name(text, end, base);                                              \
  }
#define UNSIGNED(name, type, most)                                             \
  type name(const char *restrict text, char **restrict end, int base) {        \
    return (type)parse(text, end, base, most, false);                          \
  }                                                                            \
  type name##_l(const char *restrict text, char **restrict end, int base,      \
                locale_t locale) {                                             \
    (void)locale;                                                              \
    return name(text, end, base);                                              \
  }

SIGNED(strtol, long, LONG_MAX)
SIGNED(strtoll, long long, LLONG_MAX)
SIGNED(strtoimax, intmax_t, INTMAX_MAX)
UNSIGNED(strtoul, unsigned long, ULONG_MAX)
UNSIGNED(strtoull, unsigned long long, ULLONG_MAX)
UNSIGNED(strtoumax, uintmax_t, UINTMAX_MAX)

// BSD's names.
long long strtoq(const char *restrict text, char **restrict end, int base) {
  return strtoll(text, end, base);
}
unsigned long long strtouq(const char *restrict text, char **restrict end,
                           int base) {
  return strtoull(text, end, base);
}

REPLACEABLE int atoi(const char *text) { return (int)strtol(text, NULL, 10); }
REPLACEABLE long atol(const char *text) { return strtol(text, NULL, 10); }
REPLACEABLE long long atoll(const char *text) { return strtol(text, NULL, 10); }
