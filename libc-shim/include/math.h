// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/math.h - newlib's and additions ---------*- C -*-===*/
#ifndef GPUEXEC_MATH_H
#define GPUEXEC_MATH_H

/* newlib declares these, glibc does not: the names are the program's. */
#pragma push_macro("infinity")
#pragma push_macro("infinityf")
#define infinity __gpuexec_no_infinity
#define infinityf __gpuexec_no_infinityf
#include_next <math.h>
#pragma pop_macro("infinity")
#pragma pop_macro("infinityf")

/* newlib defines this as a quotient of logarithms. */
#undef log2
#undef log2f

/* newlib calls functions for these when the compiler claims to be GCC 4.2, as clang does. */
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

/* As in glibc on x86-64. */
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

/* newlib has these, but does not declare them. */
#if __MISC_VISIBLE || __XSI_VISIBLE
double scalb(double, double);
float scalbf(float, float);
#endif
#if __MISC_VISIBLE
double significand(double);
float significandf(float);
#endif

/* C23, of IEEE 754-2019; _Float16 where a compiler has it. */
#define FP_INT_UPWARD 0
#define FP_INT_DOWNWARD 1
#define FP_INT_TOWARDZERO 2
#define FP_INT_TONEARESTFROMZERO 3
#define FP_INT_TONEAREST 4
#define FP_LLOGB0 (-__LONG_MAX__ - 1)
#define FP_LLOGBNAN (-__LONG_MAX__ - 1)
#define __C23_FUNCTIONS(type, s)                                               \
  int canonicalize##s(type *, const type *);                                   \
  type fmaximum##s(type, type);                                                \
  type fmaximum_num##s(type, type);                                            \
  type fmaximum_mag##s(type, type);                                            \
  type fmaximum_mag_num##s(type, type);                                        \
  type fminimum##s(type, type);                                                \
  type fminimum_num##s(type, type);                                            \
  type fminimum_mag##s(type, type);                                            \
  type fminimum_mag_num##s(type, type);                                        \
  type nextup##s(type);                                                        \
  type nextdown##s(type);                                                      \
  int totalorder##s(const type *, const type *);                               \
  int totalordermag##s(const type *, const type *);                            \
  type getpayload##s(const type *);                                            \
  int setpayload##s(type *, type);                                             \
  int setpayloadsig##s(type *, type);                                          \
  long llogb##s(type);                                                         \
  type fromfp##s(type, int, unsigned);                                         \
  type fromfpx##s(type, int, unsigned);                                        \
  type ufromfp##s(type, int, unsigned);                                        \
  type ufromfpx##s(type, int, unsigned);
__C23_FUNCTIONS(double, )
__C23_FUNCTIONS(float, f)
__C23_FUNCTIONS(long double, l)
__C23_FUNCTIONS(_Float16, f16)
#undef __C23_FUNCTIONS
float fadd(double, double);
float fsub(double, double);
float fmul(double, double);
float fdiv(double, double);
float fsqrt(double);
float ffma(double, double, double);
float faddl(long double, long double);
float fsubl(long double, long double);
float fmull(long double, long double);
float fdivl(long double, long double);
float fsqrtl(long double);
float ffmal(long double, long double, long double);
double daddl(long double, long double);
double dsubl(long double, long double);
double dmull(long double, long double);
double ddivl(long double, long double);
double dsqrtl(long double);
double dfmal(long double, long double, long double);
float sinpif(float);
float cospif(float);
float tanpif(float);
float asinpif(float);
float exp2m1f(float);
#define __HALF_ONE(f)                                                          \
  f(acos) f(acosh) f(asin) f(asinh) f(asinpi) f(atan) f(atanh) f(ceil) f(cos)  \
  f(cosh) f(cospi) f(exp) f(exp10) f(exp2) f(exp2m1) f(expm1) f(fabs)          \
  f(floor) f(log) f(log10) f(log1p) f(log2) f(logb) f(nearbyint) f(rint)       \
  f(round) f(roundeven) f(sin) f(sinh) f(sinpi) f(sqrt) f(tan) f(tanh)         \
  f(tanpi) f(trunc)
#define __HALF_TWO(f)                                                          \
  f(atan2) f(copysign) f(fdim) f(fmax) f(fmin) f(fmod) f(hypot) f(pow)         \
  f(remainder)
#define __DECLARE_ONE(name) _Float16 name##f16(_Float16);
#define __DECLARE_TWO(name) _Float16 name##f16(_Float16, _Float16);
__HALF_ONE(__DECLARE_ONE)
__HALF_TWO(__DECLARE_TWO)
#undef __DECLARE_ONE
#undef __DECLARE_TWO
long lrintf16(_Float16);
long lroundf16(_Float16);
long long llrintf16(_Float16);
long long llroundf16(_Float16);
int ilogbf16(_Float16);
_Float16 fmaf16(_Float16, _Float16, _Float16);
_Float16 frexpf16(_Float16, int *);
_Float16 ldexpf16(_Float16, int);
_Float16 scalbnf16(_Float16, int);
_Float16 scalblnf16(_Float16, long);
_Float16 modff16(_Float16, _Float16 *);
_Float16 remquof16(_Float16, _Float16, int *);
_Float16 nanf16(const char *);
_Float16 nextafterf16(_Float16, _Float16);
_Float16 nexttowardf16(_Float16, long double);
#define __DECLARE_ARITHMETIC(name)                                             \
  _Float16 f16##name(double, double);                                          \
  _Float16 f16##name##f(float, float);                                         \
  _Float16 f16##name##l(long double, long double);
__DECLARE_ARITHMETIC(add)
__DECLARE_ARITHMETIC(sub)
__DECLARE_ARITHMETIC(mul)
__DECLARE_ARITHMETIC(div)
#undef __DECLARE_ARITHMETIC
_Float16 f16sqrt(double);
_Float16 f16sqrtf(float);
_Float16 f16sqrtl(long double);
_Float16 f16fma(double, double, double);
_Float16 f16fmaf(float, float, float);
_Float16 f16fmal(long double, long double, long double);
#define issignaling(x) __builtin_issignaling(x)
#define iscanonical(x) ((void)(__typeof(x))(x), 1)
#ifdef __cplusplus
}
#endif
#endif
