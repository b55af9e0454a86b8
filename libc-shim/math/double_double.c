//===-- libc-shim/math/double_double.c - exp and log of two doubles -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See double_double.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/double_double.h"
#include <math.h>

static const dd ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

// 1/n! for n = 2 ... 7. From n = 8 on a double is precise enough.
static const dd factorials[] = {{0x1p-1, 0},
                                {0x1.5555555555555p-3, 0x1.5555555555555p-57},
                                {0x1.5555555555555p-5, 0x1.5555555555555p-59},
                                {0x1.1111111111111p-7, 0x1.1111111111111p-63},
                                {0x1.6c16c16c16c17p-10, -0x1.f49f49f49f49fp-65},
                                {0x1.a01a01a01a01ap-13, 0x1.a01a01a01a01ap-73}};

__attribute__((noinline)) dd __dd_exp_parts(dd x, int *exponent) {
  double k = __builtin_elementwise_rint(x.hi / ln2.hi);
  // x - k * ln2. A third part of ln2 would change nothing.
  dd rest = dd_add(x, dd_negate(dd_two_product(k, ln2.hi)));
  rest = dd_add(rest, dd_negate(dd_two_product(k, ln2.lo)));
  rest = dd_scale(rest, 1.0 / 16);
  double r = rest.hi;
  double tail = 0x1.6124613a86d09p-33; // 1/13!
  tail = dd_fma(tail, r, 0x1.1eed8eff8d898p-29);
  tail = dd_fma(tail, r, 0x1.ae64567f544e4p-26);
  tail = dd_fma(tail, r, 0x1.27e4fb7789f5cp-22);
  tail = dd_fma(tail, r, 0x1.71de3a556c734p-19);
  tail = dd_fma(tail, r, 0x1.a01a01a01a01ap-16);
  dd sum = dd_two_product(tail, r);
  for (int i = 5; i >= 0; --i) {
    sum = dd_add(factorials[i], sum);
    sum = dd_multiply(sum, rest);
  }
  // sum is rest/2 + rest^2/6 + ..., and e^rest - 1 = rest + rest * sum.
  dd m = dd_add(rest, dd_multiply(rest, sum));
  for (int i = 0; i < 4; ++i) // e^2r - 1 = 2m + m^2
    m = dd_add(dd_scale(m, 2), dd_multiply(m, m));
  *exponent = (int)k;
  return m;
}

dd __dd_expm1(dd x) {
  int exponent;
  dd m = __dd_exp_parts(x, &exponent);
  if (!exponent)
    return m;
  dd whole = dd_scale(dd_add((dd){1, 0}, m), ldexp(1, exponent));
  return dd_add(whole, (dd){-1, 0});
}

dd __dd_log1p(dd x) {
  double first = log1p(x.hi);
  if (first == 0)
    return x;
  // One step of Newton's method for e^y - 1 = x.
  dd rest = dd_add(x, dd_negate(__dd_expm1((dd){first, 0})));
  return dd_fast_sum(first, rest.hi / (1 + x.hi));
}

dd __dd_log(dd x) {
  int exponent;
  double part = frexp(x.hi, &exponent);
  if (part < 0.70710678118654752)
    --exponent;
  double scale = ldexp(1, -exponent / 2),
         rest = ldexp(1, -exponent + exponent / 2);
  dd near = dd_scale(dd_scale(x, scale), rest);
  dd result = __dd_log1p(dd_add((dd){-1, 0}, near));
  if (!exponent)
    return result;
  return dd_add(dd_multiply((dd){exponent, 0}, ln2), result);
}
