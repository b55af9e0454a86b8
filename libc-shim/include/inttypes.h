// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/inttypes.h - newlib's, with PRIdMAX -----*- C -*-===*/
#ifndef GPUEXEC_INTTYPES_H
#define GPUEXEC_INTTYPES_H

#include_next <inttypes.h>

/* newlib's is "l", but intmax_t is long long. */
#undef PRIdMAX
#undef PRIiMAX
#undef PRIoMAX
#undef PRIuMAX
#undef PRIxMAX
#undef PRIXMAX
#undef SCNdMAX
#undef SCNiMAX
#undef SCNoMAX
#undef SCNuMAX
#undef SCNxMAX
#define PRIdMAX "jd"
#define PRIiMAX "ji"
#define PRIoMAX "jo"
#define PRIuMAX "ju"
#define PRIxMAX "jx"
#define PRIXMAX "jX"
#define SCNdMAX "jd"
#define SCNiMAX "ji"
#define SCNoMAX "jo"
#define SCNuMAX "ju"
#define SCNxMAX "jx"
#endif
