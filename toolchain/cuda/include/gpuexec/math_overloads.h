//===-- toolchain/cuda/include/gpuexec/math_overloads.h - Math functions that clang's lack -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clang's __clang_cuda_math.h has the device functions by C's names. Here are
// CUDA's overloads for float, min and max of all types, and for the host the
// functions that glibc lacks.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_MATH_OVERLOADS_H
#define GPUEXEC_CUDA_MATH_OVERLOADS_H

#include <cmath>

#define GPUEXEC_DEVICE static __inline__ __device__
#define GPUEXEC_HOST static __inline__ __host__
#define GPUEXEC_BOTH static __inline__ __host__ __device__

//===-- min and max -------------------------------------------------------===//
// The types convert to each other as C's do. clang has the device functions
// for int, and those by older names.
GPUEXEC_HOST int min(int a, int b) { return b < a ? b : a; }
GPUEXEC_HOST int max(int a, int b) { return a < b ? b : a; }
#define GPUEXEC_LEAST(RESULT, A, B)                                            \
  GPUEXEC_BOTH RESULT min(A a, B b) {                                          \
    return (RESULT)b < (RESULT)a ? (RESULT)b : (RESULT)a;                      \
  }                                                                            \
  GPUEXEC_BOTH RESULT max(A a, B b) {                                          \
    return (RESULT)a < (RESULT)b ? (RESULT)b : (RESULT)a;                      \
  }
GPUEXEC_LEAST(unsigned int, unsigned int, unsigned int)
GPUEXEC_LEAST(unsigned int, int, unsigned int)
GPUEXEC_LEAST(unsigned int, unsigned int, int)
GPUEXEC_LEAST(long, long, long)
GPUEXEC_LEAST(unsigned long, unsigned long, unsigned long)
GPUEXEC_LEAST(unsigned long, long, unsigned long)
GPUEXEC_LEAST(unsigned long, unsigned long, long)
GPUEXEC_LEAST(long long, long long, long long)
GPUEXEC_LEAST(unsigned long long, unsigned long long, unsigned long long)
GPUEXEC_LEAST(unsigned long long, long long, unsigned long long)
GPUEXEC_LEAST(unsigned long long, unsigned long long, long long)
#undef GPUEXEC_LEAST
#define GPUEXEC_LEAST(RESULT, A, B, SUFFIX)                                    \
  GPUEXEC_DEVICE RESULT min(A a, B b) { return __nv_fmin##SUFFIX(a, b); }      \
  GPUEXEC_DEVICE RESULT max(A a, B b) { return __nv_fmax##SUFFIX(a, b); }      \
  GPUEXEC_HOST RESULT min(A a, B b) { return ::fmin##SUFFIX(a, b); }           \
  GPUEXEC_HOST RESULT max(A a, B b) { return ::fmax##SUFFIX(a, b); }
GPUEXEC_LEAST(float, float, float, f)
GPUEXEC_LEAST(double, double, double, )
GPUEXEC_LEAST(double, float, double, )
GPUEXEC_LEAST(double, double, float, )
#undef GPUEXEC_LEAST
GPUEXEC_HOST unsigned umin(unsigned a, unsigned b) { return b < a ? b : a; }
GPUEXEC_HOST unsigned umax(unsigned a, unsigned b) { return a < b ? b : a; }
GPUEXEC_HOST long long llmin(long long a, long long b) { return b < a ? b : a; }
GPUEXEC_HOST long long llmax(long long a, long long b) { return a < b ? b : a; }
GPUEXEC_HOST unsigned long long ullmin(unsigned long long a,
                                       unsigned long long b) {
  return b < a ? b : a;
}
GPUEXEC_HOST unsigned long long ullmax(unsigned long long a,
                                       unsigned long long b) {
  return a < b ? b : a;
}

//===-- The host's part of CUDA's own functions ---------------------------===//
GPUEXEC_HOST double rsqrt(double x) { return 1 / ::sqrt(x); }
GPUEXEC_HOST float rsqrtf(float x) { return (float)(1 / ::sqrt((double)x)); }
GPUEXEC_HOST double rcbrt(double x) { return 1 / ::cbrt(x); }
GPUEXEC_HOST float rcbrtf(float x) { return (float)(1 / ::cbrt((double)x)); }
GPUEXEC_HOST double rhypot(double x, double y) { return 1 / ::hypot(x, y); }
GPUEXEC_HOST float rhypotf(float x, float y) {
  return (float)(1 / ::hypot((double)x, (double)y));
}
GPUEXEC_HOST double norm3d(double x, double y, double z) {
  return ::hypot(::hypot(x, y), z);
}
GPUEXEC_HOST double norm4d(double x, double y, double z, double w) {
  return ::hypot(::hypot(x, y), ::hypot(z, w));
}
GPUEXEC_HOST float norm3df(float x, float y, float z) {
  return (float)::norm3d((double)x, (double)y, (double)z);
}
GPUEXEC_HOST float norm4df(float x, float y, float z, float w) {
  return (float)::norm4d((double)x, (double)y, (double)z, (double)w);
}
GPUEXEC_HOST double rnorm3d(double x, double y, double z) {
  return 1 / ::norm3d(x, y, z);
}
GPUEXEC_HOST float rnorm3df(float x, float y, float z) {
  return (float)::rnorm3d((double)x, (double)y, (double)z);
}
/// Exact where the result is 0: the argument of sin is reduced to [-1/2, 1/2].
GPUEXEC_HOST double sinpi(double x) {
  double r = ::remainder(x, 2);
  if (::fabs(r) > 0.5)
    r = ::copysign(1.0, r) - r;
  return ::sin(M_PI * r);
}
GPUEXEC_HOST double cospi(double x) {
  return ::sin(M_PI * (0.5 - ::fabs(::remainder(x, 2))));
}
GPUEXEC_HOST float sinpif(float x) { return (float)::sinpi((double)x); }
GPUEXEC_HOST float cospif(float x) { return (float)::cospi((double)x); }
GPUEXEC_HOST void sincospi(double x, double *sine, double *cosine) {
  *sine = ::sinpi(x);
  *cosine = ::cospi(x);
}
GPUEXEC_HOST void sincospif(float x, float *sine, float *cosine) {
  *sine = ::sinpif(x);
  *cosine = ::cospif(x);
}
GPUEXEC_HOST double normcdf(double x) { return ::erfc(-x * M_SQRT1_2) / 2; }
GPUEXEC_HOST float normcdff(float x) { return (float)::normcdf((double)x); }
GPUEXEC_HOST double fdivide(double x, double y) { return x / y; }
GPUEXEC_HOST float fdividef(float x, float y) { return x / y; }

//===-- Overloads for float -----------------------------------------------===//
#define GPUEXEC_FLOAT(NAME)                                                    \
  GPUEXEC_BOTH float NAME(float x) { return ::NAME##f(x); }
GPUEXEC_FLOAT(rsqrt)
GPUEXEC_FLOAT(rcbrt)
GPUEXEC_FLOAT(sinpi)
GPUEXEC_FLOAT(cospi)
GPUEXEC_FLOAT(normcdf)
#undef GPUEXEC_FLOAT
#define GPUEXEC_FLOAT(NAME)                                                    \
  GPUEXEC_DEVICE float NAME(float x) { return ::NAME##f(x); }
GPUEXEC_FLOAT(erfcinv)
GPUEXEC_FLOAT(erfinv)
GPUEXEC_FLOAT(normcdfinv)
GPUEXEC_FLOAT(erfcx)
GPUEXEC_FLOAT(exp10)
// clang declares the following, and counts on NVIDIA's headers to define them.
GPUEXEC_FLOAT(acosh)
GPUEXEC_FLOAT(asinh)
GPUEXEC_FLOAT(atanh)
GPUEXEC_FLOAT(cbrt)
GPUEXEC_FLOAT(erf)
GPUEXEC_FLOAT(erfc)
GPUEXEC_FLOAT(exp2)
GPUEXEC_FLOAT(expm1)
GPUEXEC_FLOAT(lgamma)
GPUEXEC_FLOAT(log1p)
GPUEXEC_FLOAT(log2)
GPUEXEC_FLOAT(logb)
GPUEXEC_FLOAT(nearbyint)
GPUEXEC_FLOAT(rint)
GPUEXEC_FLOAT(round)
GPUEXEC_FLOAT(tgamma)
GPUEXEC_FLOAT(trunc)
#undef GPUEXEC_FLOAT
#define GPUEXEC_FLOATS(NAME)                                                   \
  GPUEXEC_DEVICE float NAME(float x, float y) { return ::NAME##f(x, y); }
GPUEXEC_FLOATS(copysign)
GPUEXEC_FLOATS(fdim)
GPUEXEC_FLOATS(fmax)
GPUEXEC_FLOATS(fmin)
GPUEXEC_FLOATS(hypot)
GPUEXEC_FLOATS(nextafter)
GPUEXEC_FLOATS(remainder)
#undef GPUEXEC_FLOATS
GPUEXEC_DEVICE int ilogb(float x) { return ::ilogbf(x); }
GPUEXEC_DEVICE long lrint(float x) { return ::lrintf(x); }
GPUEXEC_DEVICE long long llrint(float x) { return ::llrintf(x); }
GPUEXEC_DEVICE long lround(float x) { return ::lroundf(x); }
GPUEXEC_DEVICE long long llround(float x) { return ::llroundf(x); }
GPUEXEC_DEVICE float scalbn(float x, int n) { return ::scalbnf(x, n); }
GPUEXEC_DEVICE float scalbln(float x, long n) { return ::scalblnf(x, n); }
GPUEXEC_DEVICE float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
GPUEXEC_DEVICE float remquo(float x, float y, int *quotient) {
  return ::remquof(x, y, quotient);
}
GPUEXEC_BOTH void sincospi(float x, float *sine, float *cosine) {
  ::sincospif(x, sine, cosine);
}
GPUEXEC_DEVICE void sincos(float x, float *sine, float *cosine) {
  ::sincosf(x, sine, cosine);
}
GPUEXEC_HOST void sincos(float x, float *sine, float *cosine) {
  ::sincosf(x, sine, cosine);
}
GPUEXEC_BOTH float fdivide(float x, float y) { return ::fdividef(x, y); }

#undef GPUEXEC_DEVICE
#undef GPUEXEC_HOST
#undef GPUEXEC_BOTH

#endif
