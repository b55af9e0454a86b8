//===-- libc-shim/math/complex_multiply.c - Products and quotients --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions that the compiler calls for complex * and /, with C's annex G:
// an infinite operand gives an infinite result even where the plain formula
// gives NaNs.
//===----------------------------------------------------------------------===//
#include <complex.h>
#include <math.h>

/// Annex G "boxes" an infinite operand: an infinite real or imaginary part
/// becomes 1, another one 0.
static double boxed(double x) { return copysign(isinf(x) ? 1 : 0, x); }
/// NaN becomes 0.
static double unnan(double x) { return isnan(x) ? copysign(0, x) : x; }

double complex __muldc3(double a, double b, double c, double d) {
  double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  double real = ac - bd, imaginary = ad + bc;
  if (isnan(real) && isnan(imaginary)) {
    int again = 0;
    if (isinf(a) || isinf(b)) {
      a = boxed(a), b = boxed(b), c = unnan(c), d = unnan(d);
      again = 1;
    }
    if (isinf(c) || isinf(d)) {
      c = boxed(c), d = boxed(d), a = unnan(a), b = unnan(b);
      again = 1;
    }
    if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
      a = unnan(a), b = unnan(b), c = unnan(c), d = unnan(d);
      again = 1;
    }
    if (again) {
      real = INFINITY * (a * c - b * d);
      imaginary = INFINITY * (a * d + b * c);
    }
  }
  return __builtin_complex(real, imaginary);
}

double complex __divdc3(double a, double b, double c, double d) {
  int scale = 0;
  double larger = fmax(fabs(c), fabs(d));
  if (isfinite(larger) && larger > 0) {
    scale = ilogb(larger);
    c = scalbn(c, -scale);
    d = scalbn(d, -scale);
  }
  double denominator = c * c + d * d;
  double real = scalbn((a * c + b * d) / denominator, -scale);
  double imaginary = scalbn((b * c - a * d) / denominator, -scale);
  if (isnan(real) && isnan(imaginary)) {
    if (denominator == 0 && (!isnan(a) || !isnan(b))) {
      real = copysign(INFINITY, c) * a;
      imaginary = copysign(INFINITY, c) * b;
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
      a = boxed(a), b = boxed(b);
      real = INFINITY * (a * c + b * d);
      imaginary = INFINITY * (b * c - a * d);
    } else if (isinf(larger) && isfinite(a) && isfinite(b)) {
      c = boxed(c), d = boxed(d);
      real = 0 * (a * c + b * d);
      imaginary = 0 * (b * c - a * d);
    }
  }
  return __builtin_complex(real, imaginary);
}

float complex __mulsc3(float a, float b, float c, float d) {
  // A product of floats does not overflow in double.
  double complex product = __muldc3(a, b, c, d);
  return __builtin_complex((float)creal(product), (float)cimag(product));
}
float complex __divsc3(float a, float b, float c, float d) {
  double complex quotient = __divdc3(a, b, c, d);
  return __builtin_complex((float)creal(quotient), (float)cimag(quotient));
}
