/*===-- libc-shim/include/complex.h - newlib's, and what C11 adds - C -----===*/
#ifndef GPUEXEC_COMPLEX_H
#define GPUEXEC_COMPLEX_H

#include_next <complex.h>

#ifndef CMPLX
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#define CMPLXF(real, imaginary) __builtin_complex((float)(real), (float)(imaginary))
#define CMPLXL(real, imaginary) __builtin_complex((long double)(real), (long double)(imaginary))
#endif

#endif
