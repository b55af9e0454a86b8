//===-- libc-shim/math/atan2.c - atan2 within 0.51 ulp --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reduces the arguments to 0 <= small <= big. atan(small / big) is the entry
// atan(k / 16) of a table, for the nearest k, plus a series for the rest.
// Quotient and sum are double-double, so that only the result is rounded.
//===----------------------------------------------------------------------===//
#include "libc-shim/math/double_double.h"
#include <errno.h>
#include <math.h>
#include <stdbool.h>

// atan(k / 16)
static const dd table[] = {{0, 0},
                           {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                           {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                           {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                           {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                           {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                           {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                           {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                           {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                           {0x1.0657e94db30dp-1, -0x1.d5b495f6349e6p-56},
                           {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                           {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                           {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                           {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                           {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                           {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                           {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};
static const dd half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const dd pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/// atan(small / big) for 0 <= small <= big, neither infinite, big not zero.
static dd first_octant(double small, double big) {
  double quotient = small / big;
  if (quotient < 0x1p-60) // only the first term of the series matters
    return (dd){quotient, 0};
  int exponent;
  big = frexp(big, &exponent);
  small = ldexp(small, -exponent); // exact, as small > 2^-60 big
  const int k = (int)(quotient * 16 + 0.5);
  const double c = k / 16.0;
  // (small/big - c) / (1 + c small/big), at most 1/32.
  dd above = dd_add((dd){small, 0}, dd_negate(dd_two_product(c, big)));
  dd below = dd_add((dd){big, 0}, dd_two_product(c, small));
  dd t = dd_divide(above, below);
  double square = t.hi * t.hi, series = -1.0 / 11;
  series = dd_fma(series, square, 1.0 / 9);
  series = dd_fma(series, square, -1.0 / 7);
  series = dd_fma(series, square, 1.0 / 5);
  series = dd_fma(series, square, -1.0 / 3);
  t = dd_fast_sum(t.hi, dd_fma(t.hi * square, series, t.lo));
  return dd_add(table[k], t);
}

double atan2(double y, double x) {
  if (isunordered(x, y))
    return x + y;
  double across = fabs(x), up = fabs(y);
  const bool steep = up > across;
  double big = steep ? up : across, small = steep ? across : up;
  if (isinf(big)) {
    small = isinf(small) ? 1 : 0;
    big = 1;
  }
  dd angle = big == 0 ? (dd){0, 0} : first_octant(small, big);
  if (steep)
    angle = dd_add(half_pi, dd_negate(angle));
  if (signbit(x))
    angle = dd_add(pi, dd_negate(angle));
  const double result = angle.hi + angle.lo;
  if (result == 0 && y != 0 && !isinf(x))
    errno = ERANGE;
  return copysign(result, y);
}
