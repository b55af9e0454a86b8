//===-- libc-shim/fortify/wide_streams.c - Wide streams -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h and sprintf.c.
//===----------------------------------------------------------------------===//
#include "libc-shim/fortify/check.h"
#include <wchar.h>

int __vswprintf_chk(wchar_t *restrict to, size_t size, int flag, size_t room,
                    const wchar_t *restrict format, va_list list) {
  (void)flag;
  check_room(size, room);
  return vswprintf(to, size, format, list);
}
VARIADIC(__swprintf_chk, format,
         __vswprintf_chk(to, size, flag, room, format, list),
         wchar_t *restrict to, size_t size, int flag, size_t room,
         const wchar_t *restrict format)
int __vfwprintf_chk(FILE *restrict stream, int flag,
                    const wchar_t *restrict format, va_list list) {
  (void)flag;
  return vfwprintf(stream, format, list);
}
VARIADIC(__fwprintf_chk, format, vfwprintf(stream, format, list),
         FILE *restrict stream, int flag, const wchar_t *restrict format)
int __vwprintf_chk(int flag, const wchar_t *restrict format, va_list list) {
  (void)flag;
  return vwprintf(format, list);
}
VARIADIC(__wprintf_chk, format, vwprintf(format, list), int flag,
         const wchar_t *restrict format)

wchar_t *__fgetws_chk(wchar_t *restrict to, size_t room, int size,
                      FILE *restrict stream) {
  if (size <= 0)
    return NULL;
  if ((size_t)size <= room || room > INT_MAX)
    return fgetws(to, size, stream);
  if (!room)
    __chk_fail();
  wchar_t *result = fgetws(to, (int)room, stream);
  // A full object without a newline: the next character would be behind it.
  if (result && wcslen(to) == room - 1 &&
      (room == 1 || to[room - 2] != L'\n') && fgetwc(stream) != WEOF)
    __chk_fail();
  return result;
}
wchar_t *__fgetws_unlocked_chk(wchar_t *restrict to, size_t room, int size,
                               FILE *restrict stream) {
  return __fgetws_chk(to, room, size, stream);
}
