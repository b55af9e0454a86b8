// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/complex.h - newlib's and C11's ----------*- C -*-===*/
#ifndef GPUEXEC_COMPLEX_H
#define GPUEXEC_COMPLEX_H

#include_next <complex.h>

#ifndef CMPLX
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#define CMPLXF(real, imaginary) __builtin_complex((float)(real), (float)(imaginary))
#define CMPLXL(real, imaginary) __builtin_complex((long double)(real), (long double)(imaginary))
#endif

/* newlib defines all of these and declares few. */
#ifdef __cplusplus
extern "C" {
#endif
#define __LONG_COMPLEX(name) long double _Complex name(long double _Complex);
__LONG_COMPLEX(cacosl)
__LONG_COMPLEX(cacoshl)
__LONG_COMPLEX(casinl)
__LONG_COMPLEX(casinhl)
__LONG_COMPLEX(catanl)
__LONG_COMPLEX(catanhl)
__LONG_COMPLEX(ccosl)
__LONG_COMPLEX(ccoshl)
__LONG_COMPLEX(cexpl)
__LONG_COMPLEX(clogl)
__LONG_COMPLEX(conjl)
__LONG_COMPLEX(cprojl)
__LONG_COMPLEX(csinl)
__LONG_COMPLEX(csinhl)
__LONG_COMPLEX(csqrtl)
__LONG_COMPLEX(ctanl)
__LONG_COMPLEX(ctanhl)
#undef __LONG_COMPLEX
long double _Complex cpowl(long double _Complex, long double _Complex);
long double cabsl(long double _Complex);
long double cargl(long double _Complex);
long double creall(long double _Complex);
long double cimagl(long double _Complex);
#ifdef __cplusplus
}
#endif
#endif
