//===-- libc-shim/math/erf.c - erfc within one ulp ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For |x| < 1/2, erfc(x) is 1 minus the Taylor series of erf. Above, it is
// exp(-x^2) * f(s) / (1 + 2x) with s = (x - 4) / (x + 4), where f is one
// polynomial for all x until erfc underflows; its values are between 1 and 1.3.
// All but the small terms are double-double. (erf is in libclc/wrappers.c.)
//===----------------------------------------------------------------------===//
#include "libc-shim/math/double_double.h"
#include <errno.h>
#include <math.h>

// f(s) = f_0 + s p(s) within 2^-60 for x up to 27.5. `p` has the coefficients,
// the highest first. They were interpolated in Chebyshev points with 300 bits.
static const dd f_0 = {0x1.3ba5916e9fd7fp+0, -0x1.ac4a17d145bdap-55};
static const double p[] = {
    0x1.4abe01ee95b6p-32,   0x1.25b6fd17bc605p-29,  0x1.d35e5c12bdab3p-30,
    -0x1.1eb2fbbe2fe0ep-26, -0x1.49aebe5714043p-26, 0x1.e6d3aaee558acp-24,
    0x1.4b6208f0903a9p-24,  -0x1.bc68dc955154bp-21, 0x1.390dfe8540cf3p-22,
    0x1.7f3e1b72e50a7p-18,  -0x1.78827a6f0d059p-17, -0x1.995b09688c037p-16,
    0x1.3be03201aa9ddp-13,  -0x1.a1df18f577f68p-13, -0x1.8d4a99562f2fbp-11,
    0x1.49c67277dad8ap-8,   -0x1.09623885a3eb9p-6,  0x1.3079edf6ab672p-5,
    -0x1.0fb06dfe46a14p-4,  0x1.7fee004e114f4p-4,   -0x1.9ddb23c3e9268p-4,
    0x1.16ecefcfa53f7p-4,   0x1.f7f5df66fd7e9p-7,   -0x1.1df1ad154a28fp-3};

static dd complement(double x) {
  dd s = dd_divide(dd_two_sum(x, -4), dd_two_sum(x, 4));
  // p and its derivative at s.hi; the derivative of s p(s) serves s.lo.
  double value = p[0], slope = 0;
  for (unsigned i = 1; i < sizeof p / sizeof *p; ++i) {
    slope = dd_fma(slope, s.hi, value);
    value = dd_fma(value, s.hi, p[i]);
  }
  dd f = dd_two_product(s.hi, value);
  f.lo = dd_fma(s.lo, dd_fma(slope, s.hi, value), f.lo);
  f = dd_add(f_0, f);
  return dd_divide(f, dd_add((dd){1, 0}, (dd){2 * x, 0}));
}

// (erf(x) / x * sqrt(pi) / 2 - 1) / x^2 by Taylor: (-1)^n / (n! (2n + 1)).
static const double series[] = {
    0x1.6f448e13e85e1p-34,  -0x1.2b67310aa9f3ap-30, 0x1.c2e3054870b38p-27,
    -0x1.3777c55568ccdp-23, 0x1.87a00187a0018p-20,  -0x1.bbd779334ef0bp-17,
    0x1.c01c01c01c01cp-14,  -0x1.8d3018d3018d3p-11, 0x1.2f684bda12f68p-8,
    -0x1.8618618618618p-6,  0x1.999999999999ap-4,   -0x1.5555555555555p-2};

/// erf(x) for |x| <= 1/2.
static dd central(double x) {
  const dd scale = {0x1.20dd750429b6dp+0, 0x1.1ae3a914fed8p-56}; // 2 / sqrt(pi)
  const double square = x * x;
  double value = series[0];
  for (unsigned i = 1; i < sizeof series / sizeof *series; ++i)
    value = dd_fma(value, square, series[i]);
  return dd_multiply(scale, dd_fast_sum(x, x * square * value));
}

/// erfc(x) = 2^*exponent * result for 1/2 <= x <= 27.3.
static dd tail(double x, int *exponent) {
  dd m = __dd_exp_parts(dd_negate(dd_two_product(x, x)), exponent);
  return dd_multiply(dd_add((dd){1, 0}, m), complement(x));
}

/// 1 - erfc(x) for 1/2 <= x <= 27.3.
static dd outer(double x) {
  int exponent;
  dd rest = tail(x, &exponent);
  return dd_add((dd){1, 0}, dd_negate(dd_scale(rest, ldexp(1, exponent))));
}

static double sum(dd x) { return x.hi + x.lo; }

double erfc(double x) {
  if (isnan(x))
    return x;
  if (x > 27.3) {
    if (!isinf(x))
      errno = ERANGE;
    return 0;
  }
  if (x < -6)
    return 2;
  if (fabs(x) < 0.5)
    return sum(dd_add((dd){1, 0}, dd_negate(central(x))));
  if (x < 0)
    return sum(dd_add((dd){1, 0}, outer(-x)));
  int exponent;
  dd result = tail(x, &exponent);
  double value = ldexp(sum(result), exponent);
  if (value < 0x1p-1022)
    errno = ERANGE;
  return value;
}
