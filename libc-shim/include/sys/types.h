// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/types.h - newlib's and glibc's types -*- C -*-===*/
#ifndef GPUEXEC_SYS_TYPES_H
#define GPUEXEC_SYS_TYPES_H

#include_next <sys/types.h>

/* newlib's macros for names that belong to the program. */
#undef physadr
#undef quad

#if __MISC_VISIBLE
typedef long quad_t;
typedef unsigned long u_quad_t;
typedef long loff_t;
#endif
#if __GNU_VISIBLE
typedef off_t off64_t;
#endif

#endif
