//===-- libc-shim/fortify/asprintf.c - printf into memory from the heap ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See check.h and sprintf.c. These differ from the plain functions only by the
// parameter `flag`, which is ignored.
//===----------------------------------------------------------------------===//
#include "libc-shim/fortify/check.h"
#include <obstack.h>
#include <stdio.h>
#include <syslog.h>

int __vasprintf_chk(char **restrict to, int flag, const char *restrict format,
                    va_list list) {
  (void)flag;
  return vasprintf(to, format, list);
}
VARIADIC(__asprintf_chk, format, vasprintf(to, format, list),
         char **restrict to, int flag, const char *restrict format)

int __obstack_vprintf_chk(struct obstack *to, int flag,
                          const char *restrict format, va_list list) {
  (void)flag;
  return obstack_vprintf(to, format, list);
}
VARIADIC(__obstack_printf_chk, format, obstack_vprintf(to, format, list),
         struct obstack *to, int flag, const char *restrict format)

void __vsyslog_chk(int priority, int flag, const char *format, va_list list) {
  (void)flag;
  vsyslog(priority, format, list);
}
void __syslog_chk(int priority, int flag, const char *format, ...) {
  (void)flag;
  va_list list;
  va_start(list, format);
  vsyslog(priority, format, list);
  va_end(list);
}
