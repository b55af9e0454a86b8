//===-- libc-shim/fortify/streams.c - printf to streams, input ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h and sprintf.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/fortify/check.h"
#include <stdio.h>
#include <string.h>

int __vfprintf_chk(FILE *restrict stream, int flag, const char *restrict format,
                   va_list list) {
  (void)flag;
  return vfprintf(stream, format, list);
}
VARIADIC(__fprintf_chk, format, vfprintf(stream, format, list),
         FILE *restrict stream, int flag, const char *restrict format)
int __vprintf_chk(int flag, const char *restrict format, va_list list) {
  (void)flag;
  return vprintf(format, list);
}
VARIADIC(__printf_chk, format, vprintf(format, list), int flag,
         const char *restrict format)
int __vdprintf_chk(int fd, int flag, const char *restrict format,
                   va_list list) {
  (void)flag;
  return vdprintf(fd, format, list);
}
VARIADIC(__dprintf_chk, format, vdprintf(fd, format, list), int fd, int flag,
         const char *restrict format)

/// As in glibc, `size` may be larger than the object as long as no line is.
char *__fgets_chk(char *restrict to, size_t room, int size,
                  FILE *restrict stream) {
  if (size <= 0)
    return NULL;
  if ((size_t)size <= room || room > INT_MAX)
    return fgets(to, size, stream);
  if (!room)
    __chk_fail();
  char *result = fgets(to, (int)room, stream);
  // A full object without a newline: the next byte would be behind it.
  if (result && strlen(to) == room - 1 && (room == 1 || to[room - 2] != '\n')) {
    const int next = fgetc(stream);
    if (next != EOF)
      __chk_fail();
  }
  return result;
}
char *__fgets_unlocked_chk(char *restrict to, size_t room, int size,
                           FILE *restrict stream) {
  return __fgets_chk(to, room, size, stream);
}
char *__gets_chk(char *to, size_t room) {
  char *end = to;
  int c;
  while ((c = fgetc(stdin)) != EOF && c != '\n') {
    check_room(2, room - (size_t)(end - to));
    *end++ = (char)c;
  }
  if (ferror(stdin) || (c == EOF && end == to))
    return NULL;
  *end = 0;
  return to;
}

size_t __fread_chk(void *restrict to, size_t room, size_t size, size_t count,
                   FILE *restrict stream) {
  size_t bytes;
  if (__builtin_mul_overflow(size, count, &bytes))
    __chk_fail();
  check_room(bytes, room);
  return fread(to, size, count, stream);
}
size_t __fread_unlocked_chk(void *restrict to, size_t room, size_t size,
                            size_t count, FILE *restrict stream) {
  return __fread_chk(to, room, size, count, stream);
}
