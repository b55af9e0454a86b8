// math.h: every function on special values (signs of zero, infinities, not a number, errno of poles and domains), exactly;
// on common values as far as all libraries agree: eleven digits of double, five of float.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -fno-builtin -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define SLICES 16
// Loops are not to be unrolled: that would take most of the time that the test has.
#include "libc_test.h"
#include <math.h>

static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1, -1, 0.5, -0.5, 2, -2, 3, -3.5, 4, 5e-324, -5e-324, 0x1p-1022,
                                 1.7976931348623157e308, -1.7976931348623157e308};
static const double common[] = {1e-9, 0.1, 0.7, 0.999, 1.001, 1.5, 2.25, 3.14159, 7.5, 19.75, 33.3, 123.456, 700.5, 1e5, 1e15};

static const char *kind(double x) { return isnan(x) ? "nan" : isinf(x) ? x < 0 ? "-inf" : "inf" : x == 0 ? signbit(x) ? "-0" : "0" : ""; }

// A result: exact where it is zero, infinite or not a number, else so many digits.
static void show(struct test *t, const char *name, double x, double y, double result, int digits) {
  int error = errno;
  // A result below the normal numbers may set errno or not.
  if (result != 0 && fabs(result) < 0x1p-1022)
    error = 0;
  if (*kind(result))
    out(t, "%s(%.6g, %.6g) = %s %d", name, x, y, kind(result), error);
  else
    out(t, "%s(%.6g, %.6g) = %.*g %d", name, x, y, digits, result, error);
}

static __attribute__((noinline)) void one(struct test *t, const char *name, double (*f)(double), float (*single)(float)) {
  #pragma nounroll
  for (unsigned i = 0; i < sizeof special / sizeof *special; ++i) {
    errno = 0;
    show(t, name, special[i], 0, f(special[i]), 11);
  }
  #pragma nounroll
  for (unsigned i = 0; i < sizeof common / sizeof *common; ++i)
    for (int sign = 1; sign >= -1; sign -= 2) {
      errno = 0;
      show(t, name, sign * common[i], 0, f(sign * common[i]), 11);
      errno = 0;
      float result = single((float)(sign * common[i]));
      // Overflow of float alone is at other places.
      show(t, name, sign * common[i], 1, result, fabsf(result) < 0x1p-126f ? 1 : 5);
    }
}

static __attribute__((noinline)) void two(struct test *t, const char *name, double (*f)(double, double), float (*single)(float, float)) {
  #pragma nounroll
  for (unsigned i = 0; i < sizeof special / sizeof *special; ++i)
    #pragma nounroll
    for (unsigned j = 0; j < sizeof special / sizeof *special; ++j) {
      if (special[i] == 0 && special[j] == 0 && (f == fmax || f == fmin))
        continue; // either zero
      errno = 0;
      show(t, name, special[i], special[j], f(special[i], special[j]), 11);
    }
  #pragma nounroll
  for (unsigned i = 0; i < sizeof common / sizeof *common; ++i)
    #pragma nounroll
    for (unsigned j = 0; j < sizeof common / sizeof *common; ++j) {
      errno = 0;
      show(t, name, common[i], -common[j], f(common[i], -common[j]), 11);
      float x = (float)common[i], y = (float)common[j];
      errno = 0;
      show(t, name, x, y, single(x, y), 5);
    }
}

static void run(struct test *t) {
#define ONE(name) if (section(t)) one(t, #name, name, name##f);
#define TWO(name) if (section(t)) two(t, #name, name, name##f);
  ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(erf) ONE(erfc)
  ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb) ONE(nearbyint)
  ONE(rint) ONE(round) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh) ONE(trunc) ONE(lgamma) ONE(tgamma)
  TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(pow) TWO(remainder)
  #pragma nounroll
  for (unsigned i = 0; i < sizeof special / sizeof *special; ++i) {
    if (!section(t))
      continue;
    const double x = special[i];
    int exponent = 0, quotient = 0;
    double whole, fraction = frexp(x, &exponent);
    out(t, "frexp %a %s %d", fraction, kind(fraction), isfinite(x) ? exponent : 0);
    fraction = modf(x, &whole);
    out(t, "modf %s%a %s%a", kind(fraction), isnan(fraction) ? 0 : fraction, kind(whole), isnan(whole) ? 0 : whole);
    errno = 0;
    int binary = ilogb(x);
    out(t, "ilogb %d %d", binary, errno);
    out(t, "classes %d %d %d %d %d %d", fpclassify(x) == FP_NORMAL, fpclassify(x) == FP_SUBNORMAL, isfinite(x) != 0,
        isinf(x) != 0, isnan(x) != 0, signbit(x) != 0);
    #pragma nounroll
    for (unsigned j = 0; j < sizeof special / sizeof *special; ++j) {
      const double y = special[j];
      double rest = remquo(x, y, &quotient);
      out(t, "remquo %s%a %d", kind(rest), isnan(rest) ? 0 : rest, isnan(rest) ? 0 : quotient < 0 ? -(-quotient & 7) : quotient & 7);
      float rest_f = remquof((float)x, (float)y, &quotient);
      out(t, "remquof %s%a %d", kind(rest_f), isnan(rest_f) ? 0 : (double)rest_f, isnan(rest_f) ? 0 : quotient < 0 ? -(-quotient & 7) : quotient & 7);
      out(t, "%d%d%d%d%d%d", isgreater(x, y), isgreaterequal(x, y), isless(x, y), islessequal(x, y), islessgreater(x, y),
          isunordered(x, y));
      double sum = fma(x, y, 1.5);
      out(t, "fma %s%a", kind(sum), isnan(sum) ? 0 : sum);
    }
    #pragma nounroll
    for (int j = -1100; j <= 1100; j += 73) {
      errno = 0;
      double scaled = ldexp(x, j);
      int error = fabs(scaled) < 0x1p-1022 ? 0 : errno;
      out(t, "ldexp %s%a %d", kind(scaled), isnan(scaled) ? 0 : scaled, error);
      if (!isnan(x) && (scalbn(x, j) != scaled || scalbln(x, j) != scaled))
        out(t, "scalbn differs");
    }
  }
  static const double rounded[] = {0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 4503599627370495.5, 4503599627370497.5,
                                   9007199254740993.0, -1e10, 2147483647.5, 1e18};
  #pragma nounroll
  for (unsigned i = 0; i < sizeof rounded / sizeof *rounded; ++i) {
    if (!section(t))
      continue;
    const double x = rounded[i];
    out(t, "%ld %lld %ld %lld %a %a %a %a %a", lround(x), llround(x), lrint(x), llrint(x), round(x), rint(x), trunc(x),
        nearbyint(x), nexttoward(x, 1e300L));
    const float f = (float)x;
    out(t, "%ld %lld %ld %lld %a %a %a %a", lroundf(f), llroundf(f), lrintf(f), llrintf(f), roundf(f), rintf(f), truncf(f),
        nextafterf(f, 1e30f));
  }
  if (section(t))
    out(t, "%d %a %a", isnan(nan("123")), fmaf(0x1.000002p0f, 0x1.000002p0f, -1.0f), fmin(NAN, 3));
}
