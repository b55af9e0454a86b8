//===-- libc-shim/abi/newlib_tzset.c - Functions that newlib's tzset calls ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include <stdio.h>
#include <stdlib.h>

struct _reent;

int siscanf(const char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int result = vsscanf(text, format, list);
  va_end(list);
  return result;
}

char *_getenv_r(struct _reent *reent, const char *name) {
  (void)reent;
  return getenv(name);
}
