// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/err.h - Messages of a program's failures - C -*-===//
 * BSD's functions, as in glibc. One line on standard error: the program's name,
 * the message and, for names without x, the text of errno.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_ERR_H
#define GPUEXEC_ERR_H

#include <stdarg.h>

#ifdef __cplusplus
extern "C" {
#endif
#define __ERR_PRINTF(format, first)                                            \
  __attribute__((__format__(__printf__, format, first)))
#define __ERR_ENDS __attribute__((__noreturn__))

void warn(const char *, ...) __ERR_PRINTF(1, 2);
void warnx(const char *, ...) __ERR_PRINTF(1, 2);
void vwarn(const char *, va_list) __ERR_PRINTF(1, 0);
void vwarnx(const char *, va_list) __ERR_PRINTF(1, 0);
__ERR_ENDS void err(int, const char *, ...) __ERR_PRINTF(2, 3);
__ERR_ENDS void errx(int, const char *, ...) __ERR_PRINTF(2, 3);
__ERR_ENDS void verr(int, const char *, va_list) __ERR_PRINTF(2, 0);
__ERR_ENDS void verrx(int, const char *, va_list) __ERR_PRINTF(2, 0);

#undef __ERR_PRINTF
#undef __ERR_ENDS
#ifdef __cplusplus
}
#endif
#endif
