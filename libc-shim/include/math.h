/*===-- libc-shim/include/math.h - newlib's, and what it leaves out - C -*-===*/
#ifndef GPUEXEC_MATH_H
#define GPUEXEC_MATH_H

#include_next <math.h>

/* newlib makes a quotient of logarithms of these. */
#undef log2
#undef log2f

/* newlib calls functions for these where a compiler says that it is GCC 4.2, as clang does. */
#undef fpclassify
#undef isfinite
#undef isinf
#undef isnan
#undef isnormal
#define fpclassify(x) __builtin_fpclassify(FP_NAN, FP_INFINITE, FP_NORMAL, FP_SUBNORMAL, FP_ZERO, x)
#define isfinite(x) __builtin_isfinite(x)
#define isinf(x) __builtin_isinf_sign(x)
#define isnan(x) __builtin_isnan(x)
#define isnormal(x) __builtin_isnormal(x)

/* As glibc has them on x86-64. */
#undef FP_ILOGB0
#undef FP_ILOGBNAN
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN (-2147483647 - 1)

#undef math_errhandling
#define math_errhandling MATH_ERRNO

#ifdef __cplusplus
extern "C" {
#endif
double roundeven(double);
float roundevenf(float);
long double roundevenl(long double);
#ifdef __cplusplus
}
#endif
#endif
