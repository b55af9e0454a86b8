// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of CUDA that C's libraries lack. Those for float compute in double.
#include <math.h>

//===-- Roots and lengths -------------------------------------------------===//

double __nv_rsqrt(double x) { return 1 / __builtin_sqrt(x); }
float __nv_rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
float __nv_frsqrt_rn(float x) { return (float)(1 / __builtin_sqrt((double)x)); }
double __nv_rcbrt(double x) { return 1 / cbrt(x); }
float __nv_rcbrtf(float x) { return (float)(1 / cbrt(x)); }
double __nv_rhypot(double x, double y) { return 1 / hypot(x, y); }
float __nv_rhypotf(float x, float y) { return (float)(1 / hypot(x, y)); }
double __nv_norm3d(double x, double y, double z) {
  return hypot(hypot(x, y), z);
}
double __nv_norm4d(double x, double y, double z, double w) {
  return hypot(hypot(x, y), hypot(z, w));
}
double __nv_rnorm3d(double x, double y, double z) {
  return 1 / __nv_norm3d(x, y, z);
}
double __nv_rnorm4d(double x, double y, double z, double w) {
  return 1 / __nv_norm4d(x, y, z, w);
}
/// The squares of three or four floats are exact in double, and do not
/// overflow.
static double square(float x) { return (double)x * x; }
static double length3(float x, float y, float z) {
  return __builtin_sqrt(square(x) + square(y) + square(z));
}
static double length4(float x, float y, float z, float w) {
  return __builtin_sqrt(square(x) + square(y) + square(z) + square(w));
}
float __nv_norm3df(float x, float y, float z) {
  return (float)length3(x, y, z);
}
float __nv_norm4df(float x, float y, float z, float w) {
  return (float)length4(x, y, z, w);
}
float __nv_rnorm3df(float x, float y, float z) {
  return (float)(1 / length3(x, y, z));
}
float __nv_rnorm4df(float x, float y, float z, float w) {
  return (float)(1 / length4(x, y, z, w));
}
double __nv_norm(int n, const double *x) {
  double length = 0;
  for (int i = 0; i < n; ++i)
    length = hypot(length, x[i]);
  return length;
}
float __nv_normf(int n, const float *x) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += square(x[i]);
  return (float)__builtin_sqrt(sum);
}
double __nv_rnorm(int n, const double *x) { return 1 / __nv_norm(n, x); }
float __nv_rnormf(int n, const float *x) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += square(x[i]);
  return (float)(1 / __builtin_sqrt(sum));
}

//===-- sin and cos of multiples of pi ------------------------------------===//

/// pi as a sum of two doubles.
static const double PI_HIGH = 0x1.921fb54442d18p+1,
                    PI_LOW = 0x1.1a62633145c07p-53;

/// Reduces x to [-1/4, 1/4]; stores the number of quarter turns, 0 to 3.
static double reduce(double x, int *quarters) {
  x -= 2 * __builtin_rint(x / 2);
  const double halves = __builtin_rint(2 * x);
  *quarters = (int)halves & 3;
  return x - halves / 2;
}

/// sin(pi r) and cos(pi r) of a reduced r.
static double sine_of(double r) {
  const double high = PI_HIGH * r;
  const double low = __builtin_fma(PI_HIGH, r, -high) + PI_LOW * r;
  return sin(high) + low * cos(high);
}
static double cosine_of(double r) {
  const double high = PI_HIGH * r;
  const double low = __builtin_fma(PI_HIGH, r, -high) + PI_LOW * r;
  return cos(high) - low * sin(high);
}

double __nv_sinpi(double x) {
  int quarters;
  const double r = reduce(x, &quarters);
  if (r == 0 && !(quarters & 1))
    return __builtin_copysign(0, x);
  const double value = quarters & 1 ? cosine_of(r) : sine_of(r);
  return quarters & 2 ? -value : value;
}
double __nv_cospi(double x) {
  int quarters;
  const double r = reduce(x, &quarters);
  if (r == 0 && (quarters & 1))
    return 0;
  const double value = quarters & 1 ? sine_of(r) : cosine_of(r);
  return quarters == 1 || quarters == 2 ? -value : value;
}
float __nv_sinpif(float x) { return (float)__nv_sinpi(x); }
float __nv_cospif(float x) { return (float)__nv_cospi(x); }
void __nv_sincospi(double x, double *sine, double *cosine) {
  *sine = __nv_sinpi(x);
  *cosine = __nv_cospi(x);
}
void __nv_sincospif(float x, float *sine, float *cosine) {
  *sine = __nv_sinpif(x);
  *cosine = __nv_cospif(x);
}

//===-- The error function's relatives ------------------------------------===//

/// The y for which erfc(y) is x, with 0 < x <= 1: an asymptotic guess, then
/// Halley's method, which triples the correct digits with each step.
static double inverse_erfc(double x) {
  const double logarithm = -log(x);
  double y = logarithm < 0.7
                 ? (1 - x) * 0.886226925452758
                 : __builtin_sqrt(logarithm - 0.5 * log(1 + 2 * logarithm));
  for (int i = 0; i < 8; ++i) {
    // The error relative to the slope, -2/sqrt(pi) exp(-y y).
    const double slope = 1.1283791670955126 * exp(-y * y);
    const double step = (erfc(y) - x) / slope;
    const double change = step / (1 + y * step);
    y += change;
    if (fabs(change) <= 0x1p-54 * y)
      break;
  }
  return y;
}

double __nv_erfcinv(double x) {
  if (!(x >= 0 && x <= 2))
    return __builtin_nan("");
  if (x == 0 || x == 2)
    return x == 0 ? __builtin_inf() : -__builtin_inf();
  return x <= 1 ? inverse_erfc(x) : -inverse_erfc(2 - x);
}

double __nv_erfinv(double x) {
  const double size = fabs(x);
  if (!(size <= 1))
    return __builtin_nan("");
  if (size == 1)
    return x * __builtin_inf();
  if (size > 0.5)
    return __builtin_copysign(inverse_erfc(1 - size), x);
  // Near 0 erfc would lose digits of x.
  double y = size * 0.886226925452758;
  for (int i = 0; i < 8; ++i) {
    const double slope = 1.1283791670955126 * exp(-y * y);
    const double step = (size - erf(y)) / slope;
    const double change = step / (1 - y * step);
    y += change;
    if (fabs(change) <= 0x1p-54 * y)
      break;
  }
  return __builtin_copysign(y, x);
}
float __nv_erfinvf(float x) { return (float)__nv_erfinv(x); }
float __nv_erfcinvf(float x) { return (float)__nv_erfcinv(x); }

double __nv_normcdf(double x) { return erfc(-x * 0.70710678118654752) / 2; }
float __nv_normcdff(float x) { return (float)__nv_normcdf(x); }
double __nv_normcdfinv(double x) {
  return -1.4142135623730951 * __nv_erfcinv(2 * x);
}
float __nv_normcdfinvf(float x) { return (float)__nv_normcdfinv(x); }

/// exp(x x) erfc(x).
double __nv_erfcx(double x) {
  if (x < 10) {
    const double square = x * x;
    const double rest = __builtin_fma(x, x, -square);
    return exp(square) * erfc(x) * (1 + rest);
  }
  // The asymptotic series; 12 terms are exact to the last bit from 10 on.
  double term = 1, sum = 1;
  for (int k = 1; k <= 12; ++k) {
    term *= -(2 * k - 1) / (2 * x * x);
    sum += term;
  }
  return sum / x * 0.56418958354775629;
}
float __nv_erfcxf(float x) { return (float)__nv_erfcx(x); }

//===-- Modified Bessel functions -----------------------------------------===//

/// I of the order 0 or 1 of x >= 0: below 30 the power series, all of whose
/// terms are positive; above, the asymptotic one.
static double bessel_i(int order, double x) {
  if (x < 30) {
    const double quarter = x * x / 4;
    double term = order ? x / 2 : 1, sum = term;
    for (int k = 1; term > sum * 0x1p-54; ++k) {
      term *= quarter / ((double)k * (k + order));
      sum += term;
    }
    return sum;
  }
  const double mu = 4.0 * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 30 && fabs(term) > 0x1p-54; ++k) {
    const double odd = 2 * k - 1;
    term *= -(mu - odd * odd) / (8 * x * k);
    sum += term;
  }
  // In two factors, as exp(x) overflows before the result does.
  const double half = exp(x / 2);
  return half * (sum / __builtin_sqrt(6.2831853071795865 * x)) * half;
}
double __nv_cyl_bessel_i0(double x) { return bessel_i(0, fabs(x)); }
double __nv_cyl_bessel_i1(double x) {
  return __builtin_copysign(bessel_i(1, fabs(x)), x);
}
float __nv_cyl_bessel_i0f(float x) { return (float)__nv_cyl_bessel_i0(x); }
float __nv_cyl_bessel_i1f(float x) { return (float)__nv_cyl_bessel_i1(x); }
