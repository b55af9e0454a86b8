// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's names (those of clang's __clang_cuda_math.h) for functions of the
// device's C library, which is newlib's with our own where they are better.
#include <errno.h>
#include <math.h>

/// Device code of CUDA has no errno; what libm stores there is dropped.
int *__errno(void) {
  static int dropped;
  return &dropped;
}

#define ONE(NAME)                                                              \
  double __nv_##NAME(double x) { return NAME(x); }                             \
  float __nv_##NAME##f(float x) { return NAME##f(x); }
ONE(acos)
ONE(acosh)
ONE(asin)
ONE(asinh)
ONE(atan)
ONE(atanh)
ONE(cbrt)
ONE(cos)
ONE(cosh)
ONE(erf)
ONE(erfc)
ONE(exp)
ONE(exp10)
ONE(exp2)
ONE(expm1)
ONE(j0)
ONE(j1)
ONE(log)
ONE(log10)
ONE(log1p)
ONE(log2)
ONE(logb)
ONE(sin)
ONE(sinh)
ONE(tan)
ONE(tanh)
ONE(tgamma)
ONE(y0)
ONE(y1)

#define TWO(NAME)                                                              \
  double __nv_##NAME(double x, double y) { return NAME(x, y); }                \
  float __nv_##NAME##f(float x, float y) { return NAME##f(x, y); }
TWO(atan2)
TWO(fdim)
TWO(fmod)
TWO(hypot)
TWO(nextafter)
TWO(pow)
TWO(remainder)

double __nv_lgamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}
float __nv_lgammaf(float x) {
  int sign;
  return lgammaf_r(x, &sign);
}
double __nv_frexp(double x, int *exponent) { return frexp(x, exponent); }
float __nv_frexpf(float x, int *exponent) { return frexpf(x, exponent); }
double __nv_ldexp(double x, int exponent) { return ldexp(x, exponent); }
float __nv_ldexpf(float x, int exponent) { return ldexpf(x, exponent); }
double __nv_scalbn(double x, int exponent) { return scalbn(x, exponent); }
float __nv_scalbnf(float x, int exponent) { return scalbnf(x, exponent); }
int __nv_ilogb(double x) { return ilogb(x); }
int __nv_ilogbf(float x) { return ilogbf(x); }
double __nv_jn(int n, double x) { return jn(n, x); }
float __nv_jnf(int n, float x) { return jnf(n, x); }
double __nv_yn(int n, double x) { return yn(n, x); }
float __nv_ynf(int n, float x) { return ynf(n, x); }
double __nv_modf(double x, double *whole) { return modf(x, whole); }
float __nv_modff(float x, float *whole) { return modff(x, whole); }
double __nv_remquo(double x, double y, int *bits) { return remquo(x, y, bits); }
float __nv_remquof(float x, float y, int *bits) { return remquof(x, y, bits); }
void __nv_sincos(double x, double *sine, double *cosine) {
  *sine = sin(x);
  *cosine = cos(x);
}
void __nv_sincosf(float x, float *sine, float *cosine) {
  *sine = sinf(x);
  *cosine = cosf(x);
}
double __nv_powi(double x, int n) { return pow(x, n); }
float __nv_powif(float x, int n) { return powf(x, (float)n); }
double __nv_nan(const signed char *tag) { return __builtin_nan(""); }
float __nv_nanf(const signed char *tag) { return __builtin_nanf(""); }
