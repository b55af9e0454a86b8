// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/fnmatch.h - The shell's patterns --------*- C -*-===*/
#ifndef GPUEXEC_FNMATCH_H
#define GPUEXEC_FNMATCH_H

#include <sys/features.h>

#define FNM_NOMATCH 1
#define FNM_PATHNAME (1 << 0) /* only a slash matches a slash */
#define FNM_NOESCAPE (1 << 1) /* a backslash is a character */
#define FNM_PERIOD (1 << 2)   /* only a dot matches a leading dot */
#ifdef _XOPEN_SOURCE
#define FNM_NOSYS (-1) /* never */
#endif
#if !defined _POSIX_C_SOURCE || _POSIX_C_SOURCE < 2 || defined _GNU_SOURCE
#define FNM_FILE_NAME FNM_PATHNAME
#define FNM_LEADING_DIR (1 << 3) /* the text may go on behind a slash */
#define FNM_CASEFOLD (1 << 4)
#define FNM_EXTMATCH (1 << 5) /* ?(a|b) *(a|b) +(a|b) @(a|b) !(a|b) */
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* 0 if the text matches the pattern, else FNM_NOMATCH. */
int fnmatch(const char *__pattern, const char *__text, int __flags);
#ifdef __cplusplus
}
#endif
#endif
