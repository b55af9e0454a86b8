//===-- libc-shim/stdio/scan_directive.h - Conversions of scanf -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses a conversion of a format, and finds the argument that belongs to it.
// Part of scan.inc.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_SCAN_DIRECTIVE_H
#define GPUEXEC_LIBC_SCAN_DIRECTIVE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PIECE __attribute__((noinline))

typedef struct {
  int width; ///< 0 = none given
  char length;
  char conversion;
  bool suppress, allocate;
  int position;
} directive;

#ifndef SCAN_IS_WIDE // scan_wide_set.h
/// Parses the set of %[...]: sets the bits of accepted characters in `set`.
/// Returns the format behind the ']', or null if there is none.
static PIECE const char *parse_set(const char *format, uint64_t set[4]) {
  bool invert = *format == '^';
  format += invert;
  for (int i = 0; i < 4; ++i)
    set[i] = 0;
  for (const char *start = format; *format && (*format != ']' || format == start);
       ++format) {
    unsigned from = (unsigned char)*format, to = from;
    if (format[1] == '-' && format[2] && format[2] != ']') {
      to = (unsigned char)format[2];
      if (to >= from)
        format += 2;
      else
        to = from;
    }
    for (; from <= to; ++from)
      set[from / 64] |= 1ull << from % 64;
  }
  if (invert)
    for (int i = 0; i < 4; ++i)
      set[i] = ~set[i];
  return *format ? format + 1 : NULL;
}
#endif

/// Parses the text after a '%'. Returns the format behind the conversion's
/// letter.
static PIECE const char *parse_directive(const char *format, directive *what) {
  *what = (directive){0};
  const char *at = format;
  int number = 0;
  while (*at >= '0' && *at <= '9')
    number = number * 10 + (*at++ - '0');
  if (*at == '$' && number) {
    what->position = number;
    ++at;
  } else {
    at = format;
  }
  for (;; ++at)
    if (*at == '*')
      what->suppress = true;
    else if (*at != '\'' && *at != 'I')
      break;
  while (*at >= '0' && *at <= '9')
    what->width = what->width * 10 + (*at++ - '0');
  if (*at == 'm') {
    what->allocate = !what->suppress; // nobody would free the block of %*ms
    ++at;
  }
  switch (*at) {
  case 'h':
    what->length = *++at == 'h' ? (++at, 'H') : 'h';
    break;
  case 'l':
    what->length = *++at == 'l' ? (++at, 'q') : 'l';
    break;
  case 'q':
  case 'L':
  case 'j':
  case 'z':
  case 't':
    what->length = *at++;
    break;
  }
  what->conversion = *at;
  if (*at == 'S' || *at == 'C') {
    what->conversion = (char)(*at | 32);
    what->length = 'l';
  }
  return *at ? at + 1 : at;
}

static void *next_argument(va_list *list, const va_list *first, int position) {
  if (!position)
    return va_arg(*list, void *);
  va_list from;
  va_copy(from, *(va_list *)first);
  void *argument = NULL;
  for (int i = 0; i < position; ++i)
    argument = va_arg(from, void *);
  va_end(from);
  return argument;
}

/// The base of an integer conversion, 0 for %i; -1 for other conversions.
static int base_of(char conversion) {
  switch (conversion) {
  case 'd':
  case 'u':
    return 10;
  case 'i':
    return 0;
  case 'o':
    return 8;
  case 'x':
  case 'X':
  case 'p':
    return 16;
  }
  return -1;
}

#endif
