//===-- libc-shim/math/double_double.h - Numbers of two doubles -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Double-double arithmetic, about 106 bits, for the few functions whose plain
// formula has an error above one ulp. Built on fma, which GPUs have. A value is
// hi + lo with |lo| at most half an ulp of hi.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_DOUBLE_DOUBLE_H
#define GPUEXEC_LIBC_DOUBLE_DOUBLE_H

typedef struct {
  double hi, lo;
} dd;

static inline double dd_fma(double a, double b, double c) {
  return __builtin_elementwise_fma(a, b, c);
}
/// a + b exactly, for any two.
static inline dd dd_two_sum(double a, double b) {
  double s = a + b, t = s - a;
  return (dd){s, (a - (s - t)) + (b - t)};
}
/// a + b exactly, for |a| >= |b|.
static inline dd dd_fast_sum(double a, double b) {
  double s = a + b;
  return (dd){s, b - (s - a)};
}
static inline dd dd_two_product(double a, double b) {
  double p = a * b;
  return (dd){p, dd_fma(a, b, -p)};
}
static inline dd dd_add(dd a, dd b) {
  dd s = dd_two_sum(a.hi, b.hi), t = dd_two_sum(a.lo, b.lo);
  s = dd_fast_sum(s.hi, s.lo + t.hi);
  return dd_fast_sum(s.hi, s.lo + t.lo);
}
static inline dd dd_negate(dd a) { return (dd){-a.hi, -a.lo}; }
static inline dd dd_multiply(dd a, dd b) {
  dd p = dd_two_product(a.hi, b.hi);
  return dd_fast_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
static inline dd dd_divide(dd a, dd b) {
  double q = a.hi / b.hi;
  dd rest = dd_add(a, dd_negate(dd_multiply((dd){q, 0}, b)));
  return dd_fast_sum(q, rest.hi / b.hi);
}
static inline dd dd_sqrt(dd a) {
  if (a.hi == 0)
    return a;
  double s = __builtin_elementwise_sqrt(a.hi);
  double rest = dd_fma(-s, s, a.hi) + a.lo;
  return dd_fast_sum(s, rest / (2 * s));
}
/// a times a power of two.
static inline dd dd_scale(dd a, double power) {
  return (dd){a.hi * power, a.lo * power};
}

/// e^x = 2^*exponent * (1 + result), for |x| < 1000. The result has a small
/// relative error, also near 0.
dd __dd_exp_parts(dd x, int *exponent);
/// e^x - 1, for x < 700.
dd __dd_expm1(dd x);
/// log(1 + x), with a small relative error, for 2^-900 < 1 + x < 2^900.
dd __dd_log1p(dd x);
/// log(x) for a positive, finite x.
dd __dd_log(dd x);

#endif
