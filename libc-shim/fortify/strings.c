//===-- libc-shim/fortify/strings.c - memcpy, strcpy and neighbours -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/fortify/check.h"
#include <string.h>

void *__memcpy_chk(void *restrict to, const void *restrict from, size_t size,
                   size_t room) {
  check_room(size, room);
  return memcpy(to, from, size);
}
void *__mempcpy_chk(void *restrict to, const void *restrict from, size_t size,
                    size_t room) {
  check_room(size, room);
  return mempcpy(to, from, size);
}
void *__memmove_chk(void *to, const void *from, size_t size, size_t room) {
  check_room(size, room);
  return memmove(to, from, size);
}
void *__memset_chk(void *to, int value, size_t size, size_t room) {
  check_room(size, room);
  return memset(to, value, size);
}
void __explicit_bzero_chk(void *to, size_t size, size_t room) {
  check_room(size, room);
  explicit_bzero(to, size);
}

char *__stpcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  const size_t length = strlen(from);
  check_room(length + 1, room);
  return (char *)memcpy(to, from, length + 1) + length;
}
char *__strcpy_chk(char *restrict to, const char *restrict from, size_t room) {
  __stpcpy_chk(to, from, room);
  return to;
}
char *__strncpy_chk(char *restrict to, const char *restrict from, size_t size,
                    size_t room) {
  check_room(size, room);
  return strncpy(to, from, size);
}
char *__stpncpy_chk(char *restrict to, const char *restrict from, size_t size,
                    size_t room) {
  check_room(size, room);
  return stpncpy(to, from, size);
}
char *__strncat_chk(char *restrict to, const char *restrict from, size_t size,
                    size_t room) {
  const size_t before = strnlen(to, room), length = strnlen(from, size);
  check_room(before + length + 1, room);
  memcpy(to + before, from, length);
  to[before + length] = 0;
  return to;
}
char *__strcat_chk(char *restrict to, const char *restrict from, size_t room) {
  return __strncat_chk(to, from, (size_t)-1, room);
}
