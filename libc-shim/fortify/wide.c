//===-- libc-shim/fortify/wide.c - Wide characters and conversions --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h. `room` is the number of wide characters if the result has these,
// else of bytes.
//===----------------------------------------------------------------------===//
#include "libc-shim/fortify/check.h"
#include <stdlib.h>
#include <wchar.h>

wchar_t *__wmemcpy_chk(wchar_t *restrict to, const wchar_t *restrict from,
                       size_t size, size_t room) {
  check_room(size, room);
  return wmemcpy(to, from, size);
}
wchar_t *__wmempcpy_chk(wchar_t *restrict to, const wchar_t *restrict from,
                        size_t size, size_t room) {
  check_room(size, room);
  return wmempcpy(to, from, size);
}
wchar_t *__wmemmove_chk(wchar_t *to, const wchar_t *from, size_t size,
                        size_t room) {
  check_room(size, room);
  return wmemmove(to, from, size);
}
wchar_t *__wmemset_chk(wchar_t *to, wchar_t value, size_t size, size_t room) {
  check_room(size, room);
  return wmemset(to, value, size);
}
wchar_t *__wcpcpy_chk(wchar_t *restrict to, const wchar_t *restrict from,
                      size_t room) {
  const size_t length = wcslen(from);
  check_room(length + 1, room);
  return wmemcpy(to, from, length + 1) + length;
}
wchar_t *__wcscpy_chk(wchar_t *restrict to, const wchar_t *restrict from,
                      size_t room) {
  __wcpcpy_chk(to, from, room);
  return to;
}
wchar_t *__wcsncpy_chk(wchar_t *restrict to, const wchar_t *restrict from,
                       size_t size, size_t room) {
  check_room(size, room);
  return wcsncpy(to, from, size);
}
wchar_t *__wcpncpy_chk(wchar_t *restrict to, const wchar_t *restrict from,
                       size_t size, size_t room) {
  check_room(size, room);
  return wcpncpy(to, from, size);
}
wchar_t *__wcsncat_chk(wchar_t *restrict to, const wchar_t *restrict from,
                       size_t size, size_t room) {
  const size_t before = wcsnlen(to, room), length = wcsnlen(from, size);
  check_room(before + length + 1, room);
  wmemcpy(to + before, from, length);
  to[before + length] = 0;
  return to;
}
wchar_t *__wcscat_chk(wchar_t *restrict to, const wchar_t *restrict from,
                      size_t room) {
  return __wcsncat_chk(to, from, (size_t)-1, room);
}

size_t __mbstowcs_chk(wchar_t *restrict to, const char *restrict from,
                      size_t size, size_t room) {
  check_room(size, room);
  return mbstowcs(to, from, size);
}
size_t __mbsrtowcs_chk(wchar_t *restrict to, const char **restrict from,
                       size_t size, mbstate_t *restrict state, size_t room) {
  check_room(size, room);
  return mbsrtowcs(to, from, size, state);
}
size_t __mbsnrtowcs_chk(wchar_t *restrict to, const char **restrict from,
                        size_t most, size_t size, mbstate_t *restrict state,
                        size_t room) {
  check_room(size, room);
  return mbsnrtowcs(to, from, most, size, state);
}
size_t __wcstombs_chk(char *restrict to, const wchar_t *restrict from,
                      size_t size, size_t room) {
  check_room(size, room);
  return wcstombs(to, from, size);
}
size_t __wcsrtombs_chk(char *restrict to, const wchar_t **restrict from,
                       size_t size, mbstate_t *restrict state, size_t room) {
  check_room(size, room);
  return wcsrtombs(to, from, size, state);
}
size_t __wcsnrtombs_chk(char *restrict to, const wchar_t **restrict from,
                        size_t most, size_t size, mbstate_t *restrict state,
                        size_t room) {
  check_room(size, room);
  return wcsnrtombs(to, from, most, size, state);
}
int __wctomb_chk(char *to, wchar_t wide, size_t room) {
  check_room(MB_CUR_MAX, room);
  return wctomb(to, wide);
}
size_t __wcrtomb_chk(char *restrict to, wchar_t wide, mbstate_t *restrict state,
                     size_t room) {
  check_room(MB_CUR_MAX, room);
  return wcrtomb(to, wide, state);
}
