//===-- libc-shim/stdio/sprintf.c - Formatted output to memory ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// snprintf and its family over format.h's engine, all of it on the device.
//===----------------------------------------------------------------------===//
#include "libc-shim/stdio/format.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int vsnprintf(char *restrict buffer, size_t size, const char *restrict format,
              va_list list) {
  format_sink sink = {buffer, size ? size - 1 : 0, 0, false};
  int result = __format(&sink, format, list);
  if (size)
    buffer[sink.count < size - 1 ? sink.count : size - 1] = 0;
  return result;
}

int vsprintf(char *restrict buffer, const char *restrict format, va_list list) {
  return vsnprintf(buffer, (size_t)0x7fffffff + 1, format, list);
}

int vasprintf(char **restrict result, const char *restrict format,
              va_list list) {
  // Most texts are short: one pass for those, and the size for the others.
  char text[128];
  va_list again;
  va_copy(again, list);
  int size = vsnprintf(text, sizeof text, format, list);
  *result = size < 0 ? NULL : malloc((size_t)size + 1);
  if (*result && size < (int)sizeof text)
    for (int i = 0; i <= size; ++i)
      (*result)[i] = text[i];
  else if (*result)
    vsnprintf(*result, (size_t)size + 1, format, again);
  va_end(again);
  return *result ? size : -1;
}

int snprintf(char *restrict buffer, size_t size, const char *restrict format,
             ...) {
  va_list list;
  va_start(list, format);
  int result = vsnprintf(buffer, size, format, list);
  va_end(list);
  return result;
}

int sprintf(char *restrict buffer, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vsprintf(buffer, format, list);
  va_end(list);
  return result;
}

int asprintf(char **restrict result, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int size = vasprintf(result, format, list);
  va_end(list);
  return size;
}
