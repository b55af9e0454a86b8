//===-- libc-shim/stdio/swscanf.c - Formatted input from wide strings -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See scan.inc.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/wide_format.h"
#include <stdio.h>

#define SCAN scan_wide_string
#define SCAN_SOURCE const wchar_t *
#define SCAN_GET(at) (*(at) > 0 ? (int)*(at)++ : EOF)
#define SCAN_UNGET(at, c) (--(at))
#define SCAN_IS_WIDE
#include "libc-shim/stdio/scan.inc"

int vswscanf(const wchar_t *restrict text, const wchar_t *restrict format,
             va_list list) {
  char *bytes = __wide_format_in_bytes(format);
  scanner scan = {text, 0, false};
  int result = bytes ? scan_wide_string(&scan, bytes, list) : EOF;
  free(bytes);
  return result;
}

int swscanf(const wchar_t *restrict text, const wchar_t *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vswscanf(text, format, list);
  va_end(list);
  return result;
}
