// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/stdlib.h - Checks of stdlib.h -------*- C -*-===*/
#ifndef GPUEXEC_SSP_STDLIB_H
#define GPUEXEC_SSP_STDLIB_H

#include <ssp/ssp.h>
#if __SSP_FORTIFY_LEVEL > 0
/* Sizes are in wide characters. */
__FORTIFY(size_t, mbstowcs,
          (wchar_t *__restrict __to, const char *__restrict __from,
           size_t __size),
          (wchar_t *__restrict, const char *__restrict, size_t, size_t),
          (__to, __from, __size, __MEMBER_BYTES(__to) / sizeof(wchar_t)))
__FORTIFY(size_t, wcstombs,
          (char *__restrict __to, const wchar_t *__restrict __from,
           size_t __size),
          (char *__restrict, const wchar_t *__restrict, size_t, size_t),
          (__to, __from, __size, __MEMBER_BYTES(__to)))
__FORTIFY(int, wctomb, (char *__to, wchar_t __wide), (char *, wchar_t, size_t),
          (__to, __wide, __MEMBER_BYTES(__to)))
#endif
#endif
