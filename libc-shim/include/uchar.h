// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/uchar.h - UTF-16 and UTF-32 -------------*- C -*-===*/
#ifndef GPUEXEC_UCHAR_H
#define GPUEXEC_UCHAR_H

#include <wchar.h>

#ifdef __cplusplus
extern "C" {
#else
typedef __CHAR16_TYPE__ char16_t;
typedef __CHAR32_TYPE__ char32_t;
#endif
#if __GNU_VISIBLE || __STDC_VERSION__ > 201710L
#ifndef __cpp_char8_t
typedef unsigned char char8_t;
#endif
/* UTF-8 as units of its own, one a call, whatever the locale. */
size_t mbrtoc8(char8_t *__restrict, const char *__restrict, size_t,
               mbstate_t *__restrict);
size_t c8rtomb(char *__restrict, char8_t, mbstate_t *__restrict);
#endif
#define __STDC_UTF_16__ 1
#define __STDC_UTF_32__ 1

/* In the C locale a multibyte character is one byte of ASCII, in others one of
   UTF-8. EILSEQ for other bytes and for what is no such character. */
size_t mbrtoc16(char16_t *__restrict, const char *__restrict, size_t,
                mbstate_t *__restrict);
size_t c16rtomb(char *__restrict, char16_t, mbstate_t *__restrict);
size_t mbrtoc32(char32_t *__restrict, const char *__restrict, size_t,
                mbstate_t *__restrict);
size_t c32rtomb(char *__restrict, char32_t, mbstate_t *__restrict);
#ifdef __cplusplus
}
#endif
#endif
