//===-- libc-shim/stdio/format_parse.h - Conversions of printf ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a conversion: flags, width, precision, length and letter. Part of
// format.c.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_FORMAT_PARSE_H
#define GPUEXEC_LIBC_FORMAT_PARSE_H

#include "libc-shim/stdio/format_arguments.h"
#include <limits.h>

enum { MOST_NUMBERED = 64 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Parses a decimal number and moves *at behind it. -1 if it does not fit an
/// int.
FORMAT_PIECE static int parse_number(const char **at) {
  int64_t value = 0;
  for (; is_digit(**at); ++*at)
    if (value <= INT_MAX)
      value = value * 10 + (**at - '0');
  return value > INT_MAX ? -1 : (int)value;
}

/// If "N$" is at *at, returns N and moves *at behind it; else returns 0.
static int parse_position(const char **at) {
  const char *end = *at;
  if (!is_digit(*end))
    return 0;
  int number = parse_number(&end);
  if (*end != '$')
    return 0;
  *at = end + 1;
  return number;
}

/// Arguments of a specification.
typedef struct {
  int value, width, precision; ///< argument numbers, 0 = in order
  bool star_width, star_precision;
} positions;

/// Parses what follows a '%'. False when a number does not fit an int.
FORMAT_PIECE static bool parse(const char **at, format_spec *spec,
                               positions *places) {
  *spec = (format_spec){.precision = -1};
  *places = (positions){0};
  places->value = parse_position(at);
  for (;; ++*at) {
    switch (**at) {
    case '-':
      spec->left = true;
      continue;
    case '+':
      spec->plus = true;
      continue;
    case ' ':
      spec->space = true;
      continue;
    case '#':
      spec->alternate = true;
      continue;
    case '0':
      spec->zero = true;
      continue;
    case '\'': // the C locale groups nothing
    case 'I':
      continue;
    }
    break;
  }
  if (**at == '*') {
    ++*at;
    places->star_width = true;
    places->width = parse_position(at);
  } else if (is_digit(**at)) {
    spec->width = parse_number(at);
    if (spec->width < 0)
      return false;
  }
  if (**at == '.') {
    ++*at;
    if (**at == '*') {
      ++*at;
      places->star_precision = true;
      places->precision = parse_position(at);
    } else {
      bool negative = **at == '-' && (++*at, true);
      spec->precision = parse_number(at);
      if (spec->precision < 0)
        return false;
      if (negative)
        spec->precision = -1;
    }
  }
  switch (**at) {
  case 'h':
    spec->length = *++*at == 'h' ? (++*at, 'H') : 'h';
    break;
  case 'l':
    spec->length = *++*at == 'l' ? (++*at, 'q') : 'l';
    break;
  case 'q':
  case 'L':
  case 'j':
  case 'z':
  case 'Z':
  case 't':
    spec->length = **at == 'Z' ? 'z' : **at;
    ++*at;
    break;
  }
  spec->conversion = **at;
  if (**at)
    ++*at;
  return true;
}

/// For formats with "n$": reads all variadic arguments by the types that the
/// format gives them. False when a number is out of range.
FORMAT_PIECE static bool read_numbered(const char *format, va_list *list,
                                       argument *out) {
  uint8_t kinds[MOST_NUMBERED] = {0};
  int most = 0;
  for (const char *at = format; *at;) {
    if (*at++ != '%')
      continue;
    format_spec spec;
    positions places;
    if (!parse(&at, &spec, &places))
      return false;
    struct {
      int number;
      argument_kind kind;
    } uses[3] = {{places.value, kind_of(&spec)},
                 {places.width, INT},
                 {places.precision, INT}};
    for (int i = 0; i < 3; ++i) {
      if (uses[i].number > MOST_NUMBERED)
        return false;
      if (uses[i].number < 1)
        continue;
      kinds[uses[i].number - 1] = uses[i].kind;
      if (uses[i].number > most)
        most = uses[i].number;
    }
  }
  for (int i = 0; i < most; ++i)
    out[i] = next(list, kinds[i] ? kinds[i] : INT);
  return true;
}

#endif
