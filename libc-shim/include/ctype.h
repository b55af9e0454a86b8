// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/ctype.h - newlib's, for negative characters too -*- C -*-===
 * glibc answers isspace(c) for a char of any value, and programs rely on it:
 * newlib's table begins at EOF. Ours has an entry for each of -128 ... 255.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_CTYPE_H
#define GPUEXEC_CTYPE_H

#include_next <ctype.h>

#ifdef __cplusplus
extern "C" {
#endif
extern const unsigned char __gpuexec_ctype[128 + 256];
#ifdef __cplusplus
}
#endif

/* The entry of EOF; newlib's macros add c + 1. */
#undef __CTYPE_PTR
#define __CTYPE_PTR (__gpuexec_ctype + 127)
#define __locale_ctype_ptr_l(locale) ((void)(locale), __CTYPE_PTR)

/* The functions know negative characters, the macros do not. */
#undef toupper
#undef tolower
#endif
