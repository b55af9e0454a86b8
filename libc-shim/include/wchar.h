// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/wchar.h - newlib's, with our FILE -------*- C -*-===*/
#ifndef GPUEXEC_WCHAR_H
#define GPUEXEC_WCHAR_H

#ifndef __FILE_defined
#define __FILE_defined
typedef struct __gpuexec_file FILE;
#endif
/* newlib declares its wide streams with its own FILE. */
#include <sys/reent.h>
#define __FILE struct __gpuexec_file
#include_next <wchar.h>
#undef __FILE
#undef putwc
#undef getwc
#undef putwchar
#undef getwchar

#ifdef __cplusplus
extern "C" {
#endif
wint_t putwc(wchar_t, FILE *);
wint_t getwc(FILE *);
wint_t putwchar(wchar_t);
wint_t getwchar(void);
#if __GNU_VISIBLE
/* As wcschr(), but the text's end where the character is not in it. */
wchar_t *wcschrnul(const wchar_t *, wchar_t);
wchar_t *wcswcs(const wchar_t *, const wchar_t *); /* wcsstr() */
long long wcstoq(const wchar_t *__restrict, wchar_t **__restrict, int);
unsigned long long wcstouq(const wchar_t *__restrict, wchar_t **__restrict,
                           int);
#endif
FILE *open_wmemstream(wchar_t **, size_t *); /* see open_memstream() */
#ifdef __cplusplus
}
#endif

#endif
