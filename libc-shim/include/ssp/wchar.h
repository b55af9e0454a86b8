// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ssp/wchar.h - Checks of wchar.h ---------*- C -*-===*/
#ifndef GPUEXEC_SSP_WCHAR_H
#define GPUEXEC_SSP_WCHAR_H

#include <ssp/ssp.h>
#if __SSP_FORTIFY_LEVEL > 0
/* Sizes are in wide characters: (size_t)-1 / 4, which no text reaches, for an
   object of unknown size. */
#define __FORTIFY_WIDE(name, from_type)                                        \
  __FORTIFY(wchar_t *, name,                                                   \
            (wchar_t *__restrict __to, from_type __from, size_t __size),       \
            (wchar_t *__restrict, from_type, size_t, size_t),                  \
            (__to, __from, __size, __MEMBER_BYTES(__to) / sizeof(wchar_t)))
__FORTIFY_WIDE(wmemcpy, const wchar_t *__restrict)
__FORTIFY_WIDE(wmemmove, const wchar_t *)
__FORTIFY_WIDE(wmemset, wchar_t)
__FORTIFY_WIDE(wcsncpy, const wchar_t *__restrict)
__FORTIFY_WIDE(wcsncat, const wchar_t *__restrict)
#undef __FORTIFY_WIDE
__FORTIFY(wchar_t *, wcscpy,
          (wchar_t *__restrict __to, const wchar_t *__restrict __from),
          (wchar_t *__restrict, const wchar_t *__restrict, size_t),
          (__to, __from, __MEMBER_BYTES(__to) / sizeof(wchar_t)))
__FORTIFY(wchar_t *, wcscat,
          (wchar_t *__restrict __to, const wchar_t *__restrict __from),
          (wchar_t *__restrict, const wchar_t *__restrict, size_t),
          (__to, __from, __MEMBER_BYTES(__to) / sizeof(wchar_t)))
#endif
#endif
