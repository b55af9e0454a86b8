//===-- libc-shim/stdio/scan_wide_set.h - %[ of wide formats ------*- C -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Part of scan.inc where characters are wide. The format is in bytes;
// wide_format.h says how it represents characters beyond ASCII.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_SCAN_WIDE_SET_H
#define GPUEXEC_LIBC_SCAN_WIDE_SET_H

#include "libc-shim/stdio/scan_directive.h"
#include "libc-shim/stdio/wide_format.h"

/// Returns the character at *at and moves *at behind it.
static inline int next_of_set(const char **at) {
  const char *digits = *at;
  int code = 0;
  if (*digits == '%')
    for (++digits; *digits >= '0' && *digits <= '9'; ++digits)
      code = code * 10 + (*digits - '0');
  if (*digits == FORMAT_WIDE_CHARACTER) {
    *at = digits + 1;
    return code;
  }
  return (unsigned char)*(*at)++;
}

/// Does the set at `set` ("abc]", "^a-z]") contain the character?
static PIECE bool in_wide_set(const char *set, int c) {
  const bool invert = *set == '^';
  bool found = false;
  set += invert;
  for (const char *start = set; *set && (*set != ']' || set == start);) {
    const int from = next_of_set(&set);
    int to = from;
    if (*set == '-' && set[1] && set[1] != ']') {
      const char *behind = set + 1;
      to = next_of_set(&behind);
      if (to >= from)
        set = behind;
      else // the '-' stands for itself
        to = from;
    }
    found |= from <= c && c <= to;
  }
  return found != invert;
}

/// The format behind the set's ']', or null when there is none.
static inline const char *behind_set(const char *set) {
  set += *set == '^';
  for (const char *start = set; *set; ++set)
    if (*set == ']' && set != start)
      return set + 1;
  return NULL;
}

#endif
