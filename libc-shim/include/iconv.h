// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/iconv.h - From one encoding to another --*- C -*-===*/
/* ASCII, ISO-8859-1, ISO-8859-15, UTF-8, UTF-16, UTF-32, UCS-2 and UCS-4 in
 *both byte orders, WCHAR_T; //IGNORE and //TRANSLIT (frequent signs, and in
 *locales with UTF-8 letters of Latin, become ASCII; others a question mark).
 *The empty name is the locale's encoding. EINVAL for other encodings.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_ICONV_H
#define GPUEXEC_ICONV_H

#include <stddef.h>

typedef void *iconv_t;

#ifdef __cplusplus
extern "C" {
#endif
iconv_t iconv_open(const char *, const char *);
size_t iconv(iconv_t, char **__restrict, size_t *__restrict, char **__restrict,
             size_t *__restrict);
int iconv_close(iconv_t);
#ifdef __cplusplus
}
#endif
#endif
