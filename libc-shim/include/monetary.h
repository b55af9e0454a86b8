// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/monetary.h - Amounts of money -----------*- C -*-===*/
#ifndef GPUEXEC_MONETARY_H
#define GPUEXEC_MONETARY_H

#define __need_size_t
#include <stddef.h>
#include <sys/_locale.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif
/* The C locale has no currency and no groups of digits. Returns the length, or
   -1 with errno: E2BIG when the text and its 0 do not fit. */
ssize_t strfmon(char *__restrict, size_t, const char *__restrict, ...);
ssize_t strfmon_l(char *__restrict, size_t, locale_t, const char *__restrict,
                  ...);
#ifdef __cplusplus
}
#endif

#endif
