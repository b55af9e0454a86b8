//===-- libc-shim/stdlib/strfrom.c - One number as text -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C23's strfromd() and its like: snprintf() of one floating-point number. C
// leaves other formats undefined; as in glibc they end the program.
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int strfromd(char *restrict to, size_t size, const char *restrict format,
             double value) {
  const char *at = format;
  if (*at++ != '%')
    abort();
  if (*at == '.')
    for (++at; *at >= '0' && *at <= '9';)
      ++at;
  if (!*at || !strchr("aAeEfFgG", *at) || at[1])
    abort();
#pragma clang diagnostic ignored "-Wformat-nonliteral"
  return snprintf(to, size, format, value);
}
int strfromf(char *restrict to, size_t size, const char *restrict format,
             float value) {
  return strfromd(to, size, format, value);
}
int strfroml(char *restrict to, size_t size, const char *restrict format,
             long double value) {
  return strfromd(to, size, format, (double)value);
}
