//===-- libc-shim/math/logarithm.c - log of double ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code has no table, and no branches except for rare arguments, so that the
// lanes of a wave do not diverge. newlib's has a branch for arguments near 1,
// which in most waves some lane takes.
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdint.h>

#define FMA __builtin_elementwise_fma

double __newlib_log(double);

// log(2) in two parts. The product of the first and a number of 11 bits is
// exact.
static const double LOG_2 = 0x1.62e42fefa3800p-1,
                    LOG_2_REST = 0x1.ef35793c76730p-45;

// (log((1 + s) / (1 - s)) - 2 s) / s^3, a polynomial in s^2 for |s| <= 0.1717
// within 2^-60 of the result; interpolated in Chebyshev's points with 300 bits.
static const double SERIES[] = {
    0x1.0c1263e1bac13p-3, 0x1.0fbd2bafa02d6p-3, 0x1.3b1c42e3df02cp-3,
    0x1.745cf8c4c7bcap-3, 0x1.c71c7201f207cp-3, 0x1.2492492476765p-2,
    0x1.9999999999a3ap-2, 0x1.5555555555555p-1};

/// 1 / x, for x from 1.5 to 2.5, within an ulp or so.
static double reciprocal(double x) {
#ifdef __NVPTX__
  double guess = __nvvm_rcp_approx_ftz_d(x);
#elif defined __AMDGPU__
  double guess = __builtin_amdgcn_rcp(x);
#else
  double guess = (double)(1 / (float)x);
#endif
  guess = FMA(guess, FMA(-x, guess, 1.0), guess);
  return FMA(guess, FMA(-x, guess, 1.0), guess);
}

double log(double x) {
  uint64_t bits;
  __builtin_memcpy(&bits, &x, sizeof bits);
  const uint64_t least = 0x0010000000000000, infinity = 0x7ff0000000000000;
  if (__builtin_expect(bits - least >= infinity - least, 0))
    return __newlib_log(x); // subnormal, 0, negative, infinite, NaN
  // x = 2^exponent * m, m from sqrt(1/2) to sqrt(2)
  const uint64_t root = 0x3fe6a09e667f3bcd;
  const int64_t above = (int64_t)(bits - root) >> 52;
  const double exponent = (double)(int)above;
  bits -= (uint64_t)above << 52;
  double m;
  __builtin_memcpy(&m, &bits, sizeof m);
  // m = (1 + t) / (1 - t), t = s + rest
  const double f = m - 1, inverse = reciprocal(2 + f);
  const double s = f * inverse;
  const double rest = FMA(-s, f, FMA(-2.0, s, f)) * inverse;
  const double square = s * s;
  double value = SERIES[0];
  for (int i = 1; i < 8; ++i)
    value = FMA(value, square, SERIES[i]);
  const double main = exponent * LOG_2, twice = 2 * s;
  const double sum = main + twice;
  // |main| is larger than |twice|, or zero.
  const double lost = exponent ? (main - sum) + twice : 0;
  const double small =
      FMA(s * square, value, FMA(exponent, LOG_2_REST, 2 * rest));
  return sum + (lost + small);
}
