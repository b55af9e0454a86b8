// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/string.h - newlib's and additions -------*- C -*-===*/
#ifndef GPUEXEC_STRING_H
#define GPUEXEC_STRING_H

/* newlib declares these, glibc does not: the names are the program's. */
#pragma push_macro("strlwr")
#pragma push_macro("strupr")
#pragma push_macro("strnstr")
#pragma push_macro("timingsafe_bcmp")
#pragma push_macro("timingsafe_memcmp")
#define strlwr __gpuexec_no_strlwr
#define strupr __gpuexec_no_strupr
#define strnstr __gpuexec_no_strnstr
#define timingsafe_bcmp __gpuexec_no_timingsafe_bcmp
#define timingsafe_memcmp __gpuexec_no_timingsafe_memcmp
#include_next <string.h>
#pragma pop_macro("strlwr")
#pragma pop_macro("strupr")
#pragma pop_macro("strnstr")
#pragma pop_macro("timingsafe_bcmp")
#pragma pop_macro("timingsafe_memcmp")

#ifdef __cplusplus
extern "C" {
#endif
size_t strnlen_s(const char *, size_t);
#if __STDC_VERSION__ > 201710L /* C23, which newlib does not know */
void *memccpy(void *__restrict, const void *__restrict, int, size_t);
char *strdup(const char *);
char *strndup(const char *, size_t);
#endif
#if __GNU_VISIBLE
/* The name of an error (ENOENT) and its text, constants; null for a number that
   is no error's. */
const char *strerrorname_np(int);
const char *strerrordesc_np(int);
/* The text's characters in a random order of rand()'s. */
char *strfry(char *);
/* Each byte exclusive-or 42. */
void *memfrob(void *, size_t);
#endif
#ifdef __cplusplus
}
#endif
#endif
