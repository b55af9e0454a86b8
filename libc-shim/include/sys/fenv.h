// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/fenv.h - What a GPU's environment is - C ----===*/
/* Rounding. AMD: the direction is the wave's, so all lanes of a wave share it: the last that sets it counts, and lanes
   that want different ones must take turns. NVIDIA: every instruction has its direction from the compiler, which is to
   nearest; fesetround of another fails (nonzero). clang 22 knows no FENV_ACCESS for GPUs: what it can compute when it
   compiles it rounds to nearest, and rint, nearbyint and lrint are one instruction that always does.

   Exceptions: neither keeps flags for each thread, and so there are no names for them; FE_ALL_EXCEPT is 0.
   math_errhandling is MATH_ERRNO. */
#ifndef _SYS_FENV_H_
#define _SYS_FENV_H_

/* As in bits 1:0 and 3:2 of AMD's register MODE. */
#define FE_TONEAREST 0
#define FE_UPWARD 1
#define FE_DOWNWARD 2
#define FE_TOWARDZERO 3

#define FE_ALL_EXCEPT 0

typedef int fenv_t; /* the rounding direction */
typedef int fexcept_t;

extern const fenv_t __gpuexec_default_environment;
#define FE_DFL_ENV (&__gpuexec_default_environment)

#endif
