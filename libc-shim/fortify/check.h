//===-- libc-shim/fortify/check.h - What fortified functions share --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// glibc's functions __NAME_chk do the same as NAME but have one more argument:
// the size of the object that receives the result, (size_t)-1 if the compiler
// does not know it. They end the program instead of writing behind the object.
// Compilers and glibc's headers call them; in this library <ssp/...> does.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_CHECK_H
#define GPUEXEC_LIBC_CHECK_H

#include <limits.h>
#include <ssp/ssp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/// Ends the program unless a write of `size` units fits into `room` units.
static inline void check_room(size_t size, size_t room) {
  if (size > room)
    __chk_fail();
}

/// Limits a size to INT_MAX, the most that functions of printf accept.
static inline size_t format_room(size_t room) {
  return room < INT_MAX ? room : INT_MAX;
}

/// Ends the program if the `written` characters of sprintf() and their null do
/// not fit into `room`. Returns `written`, which is negative after an error.
static inline int check_written(int written, size_t room) {
  if (written >= 0 && (size_t)written >= room)
    __chk_fail();
  return written;
}

/// Defines the variadic function `name`. `call` calls its form with a va_list:
/// `list` has the arguments behind `format`.
#define VARIADIC(name, format, call, ...)                                      \
  int name(__VA_ARGS__, ...) {                                                 \
    va_list list;                                                              \
    va_start(list, format);                                                    \
    const int result = call;                                                   \
    va_end(list);                                                              \
    return result;                                                             \
  }

#endif
