//===-- libc-shim/math/circular.c - sin and cos of double -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code has no branches except for huge arguments, so that the lanes of a
// wave do not diverge. sin and cos are inlined, and each computes both: in a
// program that calls both for one argument LLVM computes the common part once.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <math.h>
#include <stdint.h>

#define FMA __builtin_elementwise_fma
#define INLINED __attribute__((always_inline))

double __newlib_sin(double);
double __newlib_cos(double);

// pi/2 in three parts of 53 bits.
static const double HALF_PI[] = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54,
                                 -0x1.f1976b7ed8fbcp-110};
static const double TWO_BY_PI = 0x1.45f306dc9c883p-1;

/// For arguments below this the multiple of pi/2 has at most 20 bits, so that x
/// minus this multiple of HALF_PI[0] is exact.
static const double MOST = 0x1p20;

// (sin(x) - x) / x^3 and (cos(x) - 1 + x^2 / 2) / x^4, polynomials in x^2 for
// |x| <= pi/4 within 2^-59 of the result; interpolated in Chebyshev's points
// with 300 bits.
static const double SINE[] = {
    -0x1.ab17a79237a19p-41, 0x1.61217ec01749dp-33, -0x1.ae64541266378p-26,
    0x1.71de3a54605eep-19,  -0x1.a01a01a019936p-13, 0x1.111111111111p-7,
    -0x1.5555555555555p-3};
static const double COSINE[] = {-0x1.907d7aebd5e3dp-37, 0x1.1eeb68b109173p-29,
                                -0x1.27e4fa17a41b4p-22, 0x1.a01a019f4e867p-16,
                                -0x1.6c16c16c16966p-10, 0x1.5555555555555p-5};

static inline double polynomial(const double *coefficients, int count,
                                double x) {
  double value = coefficients[0];
  for (int i = 1; i < count; ++i)
    value = FMA(value, x, coefficients[i]);
  return value;
}

typedef struct {
  double sine, cosine;
} both;

/// For |x| < MOST; otherwise the result has no meaning.
static inline INLINED both sine_and_cosine(double x) {
  // x = count * pi/2 + high + low
  const double count = __builtin_elementwise_rint(x * TWO_BY_PI);
  const double first = FMA(-count, HALF_PI[0], x);
  const double second = count * HALF_PI[1];
  const double high = first - second, back = high - first;
  const double lost = (first - (high - back)) - (second + back);
  const double low = FMA(-count, HALF_PI[2],
                         lost - FMA(count, HALF_PI[1], -second));
  const double square = high * high, half = 0.5 * square;
  // sin(high) + low * cos(high)
  const double sine = high + FMA(high * square, polynomial(SINE, 7, square),
                                 FMA(-half, low, low));
  // cos(high) - low * sin(high); half of high * high with more digits
  const double rest = FMA(-high, low, -0.5 * FMA(high, high, -square));
  const double one = 1 - half;
  const double cosine =
      one + (((1 - one) - half) +
             FMA(square * square, polynomial(COSINE, 6, square), rest));
  const unsigned quarter = (unsigned)(int)count;
  const double a = quarter & 1 ? cosine : sine, b = quarter & 1 ? sine : cosine;
  return (both){quarter & 2 ? -a : a, (quarter + 1) & 2 ? -b : b};
}

__attribute__((noinline)) static double sine_of_huge(double x) {
  if (isinf(x))
    errno = EDOM;
  return __newlib_sin(x);
}
__attribute__((noinline)) static double cosine_of_huge(double x) {
  if (isinf(x))
    errno = EDOM;
  return __newlib_cos(x);
}

INLINED double sin(double x) {
  const both results = sine_and_cosine(x);
  if (__builtin_expect(!(fabs(x) < MOST), 0))
    return sine_of_huge(x);
  return x == 0 ? x : results.sine; // keeps the sign
}
INLINED double cos(double x) {
  const both results = sine_and_cosine(x);
  if (__builtin_expect(!(fabs(x) < MOST), 0))
    return cosine_of_huge(x);
  return results.cosine;
}
