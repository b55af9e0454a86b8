//===-- libc-shim/locale/state.c - Which locale is in effect --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See state.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/locale/state.h"
#include <reent.h>
#include <stdlib.h>

const char __locale_c[] = "C";
struct __locale_t __global_locale = {
    {__locale_c, __locale_c, __locale_c, __locale_c, __locale_c, __locale_c}};
bool __locale_any_utf8, __locale_of_threads;

struct __locale_t *__locale_current(void) {
  struct __locale_t *own = __locale_of_threads ? _REENT->_locale : NULL;
  return own ? own : &__global_locale;
}

__attribute__((noinline)) bool
__locale_has_utf8(const struct __locale_t *locale) {
  if (locale == LC_GLOBAL_LOCALE)
    locale = &__global_locale;
  return locale->names[LC_CTYPE - 1] != __locale_c;
}

// glibc's number: UTF-8 once had characters of six bytes.
enum { MOST_BYTES = 6 };
int __locale_mb_cur_max(void) { return locale_is_utf8() ? MOST_BYTES : 1; }
