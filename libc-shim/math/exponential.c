//===-- libc-shim/math/exponential.c - exp of double ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code has no table, and no branches except for rare arguments. The lanes
// of a wave would read a table at different places: newlib's is slow on a GPU,
// and libclc's is in constant memory, where lanes take turns.
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdint.h>

#define FMA __builtin_elementwise_fma

/// libclc's exp (libclc/wrappers.c); sets errno.
double __gpuexec_clc_exp(double);

// log(2) in two parts. The product of the first and a number of 13 bits is
// exact.
static const double LOG_2 = 0x1.62e42fefa2000p-1,
                    LOG_2_REST = 0x1.9ef35793c7673p-41,
                    BY_LOG_2 = 0x1.71547652b82fep+0;

// (exp(r) - 1 - r) / r^2, a polynomial for |r| <= log(2) / 2 within 2^-61 of
// exp(r); interpolated in Chebyshev's points with 300 bits.
static const double SERIES[] = {
    0x1.1f731ea5352cap-29, 0x1.af4e196027428p-26, 0x1.27e4db57442fbp-22,
    0x1.71de021a90822p-19, 0x1.a01a01a6dcaffp-16, 0x1.a01a01abef415p-13,
    0x1.6c16c16c162ccp-10, 0x1.11111111100cep-7,  0x1.5555555555556p-5,
    0x1.5555555555557p-3,  0x1.0p-1};

double exp(double x) {
  // Results that are subnormal, infinite or zero, and NaN.
  if (__builtin_expect(!(fabs(x) < 708), 0))
    return __gpuexec_clc_exp(x);
  // x = count * log(2) + r + rest
  const double count = __builtin_elementwise_rint(x * BY_LOG_2);
  const double high = FMA(-count, LOG_2, x), low = count * LOG_2_REST;
  const double r = high - low, rest = (high - r) - low;
  double value = SERIES[0];
  for (int i = 1; i < 11; ++i)
    value = FMA(value, r, SERIES[i]);
  const double one = 1 + r;
  const double result = one + (((1 - one) + r) + FMA(r * r, value, rest));
  uint64_t bits;
  __builtin_memcpy(&bits, &result, sizeof bits);
  bits += (uint64_t)(int64_t)(int)count << 52;
  double scaled;
  __builtin_memcpy(&scaled, &bits, sizeof bits);
  return scaled;
}
