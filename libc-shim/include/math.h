/*===-- libc-shim/include/math.h - newlib's, and what it leaves out - C -*-===*/
#ifndef GPUEXEC_MATH_H
#define GPUEXEC_MATH_H

#include_next <math.h>

/* newlib makes a quotient of logarithms of these. */
#undef log2
#undef log2f

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
