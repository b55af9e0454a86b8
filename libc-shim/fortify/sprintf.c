//===-- libc-shim/fortify/sprintf.c - printf into memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h. glibc's `flag` forbids %n in a format that can be written to;
// a GPU program cannot tell where its constants are, and %n is always allowed.
//===----------------------------------------------------------------------===//
#include "libc-shim/fortify/check.h"
#include <stdio.h>

int __vsprintf_chk(char *restrict to, int flag, size_t room,
                   const char *restrict format, va_list list) {
  (void)flag;
  check_room(1, room);
  return check_written(vsnprintf(to, format_room(room), format, list), room);
}
VARIADIC(__sprintf_chk, format, __vsprintf_chk(to, flag, room, format, list),
         char *restrict to, int flag, size_t room, const char *restrict format)

int __vsnprintf_chk(char *restrict to, size_t size, int flag, size_t room,
                    const char *restrict format, va_list list) {
  (void)flag;
  check_room(size, room);
  return vsnprintf(to, size, format, list);
}
VARIADIC(__snprintf_chk, format,
         __vsnprintf_chk(to, size, flag, room, format, list), char *restrict to,
         size_t size, int flag, size_t room, const char *restrict format)
