//===-- libc-shim/stdio/dprintf.c - Formatted output to a descriptor ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int vdprintf(int fd, const char *restrict format, va_list list) {
  char *text;
  int size = vasprintf(&text, format, list);
  if (size < 0)
    return -1;
  ssize_t written = write(fd, text, (size_t)size);
  free(text);
  return (int)written;
}

int dprintf(int fd, const char *restrict format, ...) {
  va_list list;
  va_start(list, format);
  int result = vdprintf(fd, format, list);
  va_end(list);
  return result;
}
