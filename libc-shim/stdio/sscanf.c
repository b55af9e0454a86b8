//===-- libc-shim/stdio/sscanf.c - Formatted input from memory ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See scan.inc.
//===----------------------------------------------------------------------===//
#include <stdio.h>

#define SCAN scan_string
#define SCAN_SOURCE const unsigned char *
#define SCAN_GET(at) (*(at) ? *(at)++ : EOF)
#define SCAN_UNGET(at, c) (--(at))
#include "libc-shim/stdio/scan.inc"

int vsscanf(const char *restrict text, const char *restrict format,
            va_list list) {
  scanner scan = {(const unsigned char *)text, 0, false};
  return scan_string(&scan, format, list);
}

int sscanf(const char *restrict text, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vsscanf(text, format, list);
  va_end(list);
  return result;
}
