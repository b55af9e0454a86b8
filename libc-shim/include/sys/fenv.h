// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/fenv.h - What a GPU's environment is - C ----===*/
/* Rounding is to nearest, and no exception flags exist. So, as C has it for such machines, there are no other names: FE_UPWARD,
   FE_DIVBYZERO and their like are undefined, and programs that ask with #ifdef do without.

   NVIDIA: every instruction has its direction from the compiler. AMD: a register has it, but for a wave, not for a thread. What
   clang 22 makes of /, sqrt() and conversions is right to nearest only: of 2000 exact quotients and roots in the other directions
   most came out off by a unit; rint() and lrint() are one instruction that always rounds to nearest.
   Neither keeps flags for each thread. FE_ALL_EXCEPT is 0, and math_errhandling is MATH_ERRNO. */
#ifndef _SYS_FENV_H_
#define _SYS_FENV_H_

#define FE_TONEAREST 0

#define FE_ALL_EXCEPT 0

typedef int fenv_t; /* the rounding direction */
typedef int fexcept_t;

extern const fenv_t __gpuexec_default_environment;
#define FE_DFL_ENV (&__gpuexec_default_environment)

#include <sys/features.h>
#if __GNU_VISIBLE || __STDC_VERSION__ > 201710L /* C23 */
typedef int femode_t;                           /* the rounding direction */
#define FE_DFL_MODE ((const femode_t *)&__gpuexec_default_environment)
#ifdef __cplusplus
extern "C" {
#endif
/* As for all functions here: bits that name no exception are ignored. */
int fegetmode(femode_t *);
int fesetmode(const femode_t *);
int fesetexcept(int);
int fetestexceptflag(const fexcept_t *, int);
#ifdef __cplusplus
}
#endif
#endif
#if __GNU_VISIBLE
#ifdef __cplusplus
extern "C" {
#endif
/* No exception is a trap: all give 0. */
int feenableexcept(int);
int fedisableexcept(int);
int fegetexcept(void);
#ifdef __cplusplus
}
#endif
#endif

#endif
