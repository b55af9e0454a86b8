// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/math.h - newlib's and additions ---------*- C -*-===*/
#ifndef GPUEXEC_MATH_H
#define GPUEXEC_MATH_H

/* newlib declares these, glibc does not: the names are the program's. newlib gives exp10l and
   dreml float. */
#pragma push_macro("infinity")
#pragma push_macro("infinityf")
#pragma push_macro("exp10l")
#pragma push_macro("dreml")
#pragma push_macro("pow10")
#pragma push_macro("pow10f")
#pragma push_macro("pow10l")
#define infinity __gpuexec_no_infinity
#define infinityf __gpuexec_no_infinityf
#define exp10l __gpuexec_no_exp10l
#define dreml __gpuexec_no_dreml
#define pow10 __gpuexec_no_pow10
#define pow10f __gpuexec_no_pow10f
#define pow10l __gpuexec_no_pow10l
#include_next <math.h>
#pragma pop_macro("exp10l")
#pragma pop_macro("dreml")
#pragma pop_macro("pow10")
#pragma pop_macro("pow10f")
#pragma pop_macro("pow10l")
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
/* long double is double. */
long double dreml(long double, long double);
long double gammal(long double);
long double j0l(long double);
long double j1l(long double);
long double jnl(int, long double);
long double y0l(long double);
long double y1l(long double);
long double ynl(int, long double);
/* log |gamma(x)|; the sign of gamma(x) is stored. */
long double lgammal_r(long double, int *);
long double scalbl(long double, long double);
long double significandl(long double);
int isinfl(long double); /* 1, -1 or 0 */
int isnanl(long double);
#endif
#if __GNU_VISIBLE || __STDC_VERSION__ > 201710L
#define SNANF __builtin_nansf("")
#define SNAN __builtin_nans("")
#define SNANL __builtin_nansl("")
double exp10(double);
float exp10f(float);
long double exp10l(long double);
#endif
#if __GNU_VISIBLE
#define M_Ef 2.718281828459045235360287471352662498f
#define M_LOG2Ef 1.442695040888963407359924681001892137f
#define M_LOG10Ef 0.434294481903251827651128918916605082f
#define M_LN2f 0.693147180559945309417232121458176568f
#define M_LN10f 2.302585092994045684017991454684364208f
#define M_PIf 3.141592653589793238462643383279502884f
#define M_PI_2f 1.570796326794896619231321691639751442f
#define M_PI_4f 0.785398163397448309615660845819875721f
#define M_1_PIf 0.318309886183790671537767526745028724f
#define M_2_PIf 0.636619772367581343075535053490057448f
#define M_2_SQRTPIf 1.128379167095512573896158903121545172f
#define M_SQRT2f 1.414213562373095048801688724209698079f
#define M_SQRT1_2f 0.707106781186547524400844362104849039f
#define M_El 2.718281828459045235360287471352662498L
#define M_LOG2El 1.442695040888963407359924681001892137L
#define M_LOG10El 0.434294481903251827651128918916605082L
#define M_LN2l 0.693147180559945309417232121458176568L
#define M_LN10l 2.302585092994045684017991454684364208L
#define M_PIl 3.141592653589793238462643383279502884L
#define M_PI_2l 1.570796326794896619231321691639751442L
#define M_PI_4l 0.785398163397448309615660845819875721L
#define M_1_PIl 0.318309886183790671537767526745028724L
#define M_2_PIl 0.636619772367581343075535053490057448L
#define M_2_SQRTPIl 1.128379167095512573896158903121545172L
#define M_SQRT2l 1.414213562373095048801688724209698079L
#define M_SQRT1_2l 0.707106781186547524400844362104849039L
/* The number that is larger, or smaller, without its sign. */
double fmaxmag(double, double);
double fminmag(double, double);
float fmaxmagf(float, float);
float fminmagf(float, float);
long double fmaxmagl(long double, long double);
long double fminmagl(long double, long double);
void sincosl(long double, long double *, long double *);
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
#if __GNU_VISIBLE || __STDC_VERSION__ > 201710L
/* iseqsig: x == y. A NaN makes it an invalid operation, for which there is no
   flag. */
#ifdef __cplusplus
extern "C++" {
template <typename T> inline bool issubnormal(T x) {
  return __builtin_fpclassify(0, 0, 0, 1, 0, x);
}
template <typename T> inline bool iszero(T x) { return x == 0; }
template <typename T, typename U> inline bool iseqsig(T x, U y) {
  return x == y;
}
}
#else
#define issubnormal(x) (__builtin_fpclassify(0, 0, 0, 1, 0, x))
#define iszero(x) (__builtin_fpclassify(0, 0, 0, 0, 1, x))
#define iseqsig(x, y) ((x) == (y))
#endif
#endif
#define iscanonical(x) ((void)(__typeof(x))(x), 1)
#ifdef __cplusplus
}
#endif
#endif
