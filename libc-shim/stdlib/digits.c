//===-- libc-shim/stdlib/digits.c - ecvt, fcvt, gcvt ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The digits of a number without its point. At most 17, as in glibc.
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIGITS = 17, BUFFER = 400 };

/// Infinity and NaN: writes the name and sets *point and *sign to 0.
static char *not_a_number(double value, int *point, int *sign, char *to) {
  *point = 0;
  *sign = 0; // as in glibc
  snprintf(to, BUFFER, "%f", value);
  return to;
}

/// Writes `value` with `digits` digits behind the point. Returns its exponent.
static int exponent_of(char *to, int digits, double value) {
  snprintf(to, BUFFER, "%.*e", digits, fabs(value));
  return atoi(strchr(to, 'e') + 1);
}

char *ecvt(double value, int digits, int *point, int *sign) {
  static char buffer[BUFFER]; // one for all threads, as in glibc
  if (!isfinite(value))
    return not_a_number(value, point, sign, buffer);
  *sign = signbit(value) != 0;
  if (digits <= 0) {
    *point = 1;
    *buffer = '\0';
    if (value != 0)
      *point = (int)floor(log10(fabs(value))) + 1;
    return buffer;
  }
  digits = digits < MOST_DIGITS ? digits : MOST_DIGITS;
  const int exact = exponent_of(buffer, MOST_DIGITS, value);
  const int rounded = exponent_of(buffer, digits - 1, value);
  *point = rounded + 1;
  if (digits > 1)
    memmove(buffer + 1, buffer + 2, (size_t)digits - 1);
  // As in glibc, 9.99 rounded to one digit is "10".
  if (rounded > exact)
    buffer[digits++] = '0';
  buffer[digits] = '\0';
  return buffer;
}

char *fcvt(double value, int digits, int *point, int *sign) {
  static char buffer[BUFFER];
  if (!isfinite(value))
    return not_a_number(value, point, sign, buffer);
  *sign = signbit(value) != 0;
  value = fabs(value);
  int zeros = 0; // number of digits before the point that become 0
  for (; digits < 0 && value * 0.1 >= 1; ++digits, ++zeros)
    value *= 0.1;
  digits = digits < 0 ? 0 : digits < MOST_DIGITS ? digits : MOST_DIGITS;
  snprintf(buffer, BUFFER, "%.*f", digits, value);
  char *dot = strchr(buffer, '.');
  *point = (int)(dot ? dot - buffer : (long)strlen(buffer));
  if (dot)
    memmove(dot, dot + 1, strlen(dot));
  if (*point == 1 && *buffer == '0' && value != 0 && dot) {
    const size_t leading = strspn(buffer, "0");
    *point -= (int)leading;
    memmove(buffer, buffer + leading, strlen(buffer + leading) + 1);
  }
  const size_t length = strlen(buffer);
  memset(buffer + length, '0', (size_t)zeros);
  buffer[length + (size_t)zeros] = '\0';
  *point += zeros;
  return buffer;
}

char *gcvt(double value, int digits, char *to) {
  sprintf(to, "%.*g", digits < MOST_DIGITS ? digits : MOST_DIGITS, value);
  return to;
}
