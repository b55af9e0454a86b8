//===-- libc-shim/fortify/check.h - What fortified functions share --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// glibc's entry points __NAME_chk do what NAME does, with one more argument:
// the size of the object that the result goes to, (size_t)-1 if the compiler
// does not know it. They end the program instead of writing behind the object.
// Compilers and glibc's headers call them; here <ssp/...> does.
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

/// printf's functions take sizes up to INT_MAX.
static inline size_t format_room(size_t room) {
  return room < INT_MAX ? room : INT_MAX;
}

/// Ends the program after sprintf() if `written` characters and the 0 did not
/// fit. Returns `written`, which is negative after an error.
static inline int check_written(int written, size_t room) {
  if (written >= 0 && (size_t)written >= room)
    __chk_fail();
  return written;
}

/// Defines the variadic function `name` by its `v` form: `call` has the
/// arguments behind `format` in `list`.
#define VARIADIC(name, format, call, ...)                                      \
  int name(__VA_ARGS__, ...) {                                                 \
    va_list list;                                                              \
    va_start(list, format);                                                    \
    const int result = call;                                                   \
    va_end(list);                                                              \
    return result;                                                             \
  }

#endif
