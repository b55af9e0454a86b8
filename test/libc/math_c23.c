// math.h's functions of C23 that glibc has too: IEEE 754-2019's extremes, orders, payloads, neighbours, rounding to integers,
// narrowing arithmetic. (_Float16's: half.c.)
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -fno-builtin -w -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#define SLICES 8
#include "libc_test.h"
#include <math.h>
#include <stdint.h>

static const double values[] = {0.0, -0.0, 1, -1, 1.5, -2.5, 3.49, 1e10, 0x1p-1074, -0x1p-1022, 1.7976931348623157e308, INFINITY, -INFINITY, NAN,
                                0x1.000001p0, 0x1.000000fffffffp0, 16777217.0, 0x1.fffffefffffffp127, 1e-46, 0.1};
enum { COUNT = sizeof values / sizeof *values };

static const char *show(double x, char *text) {
  if (isnan(x))
    return "nan";
  snprintf(text, 40, "%a", x);
  return text;
}

#define EXTREME(name) \
  if (section(t)) \
    _Pragma("nounroll") for (int i = 0; i < COUNT; ++i) \
      _Pragma("nounroll") for (int j = 0; j < COUNT; ++j) \
        out(t, #name " %s %s %s", show(name(values[i], values[j]), a), show((double)name##f((float)values[i], (float)values[j]), b), \
            show((double)name##l(values[i], values[j]), c));
// The same of long doubles that are doubles, and of doubles.
#define NARROW(name) \
  if (section(t)) \
    _Pragma("nounroll") for (int i = 0; i < COUNT; ++i) \
      _Pragma("nounroll") for (int j = 0; j < COUNT; ++j) \
        out(t, #name " %s %s", show((double)name(values[i], values[j]), a), show((double)name##l(values[i], values[j]), b));

#ifndef __gpuexec__ // glibc has these since 2.41
static float own_sinpif(float x) { return isinf(x) ? NAN : x == truncf(x) ? copysignf(0, x) : (float)sin(M_PI * fmod(x, 2)); }
static float own_cospif(float x) { return fabsf(fmodf(x, 1)) == 0.5f ? 0 : (float)cos(M_PI * fmod(x, 2)); }
static float own_tanpif(float x) { return (float)tan(M_PI * fmod(x, 1)); }
static float own_asinpif(float x) { return (float)(asin(x) / M_PI); }
static float own_exp2m1f(float x) { return (float)expm1(x * M_LN2); }
#define sinpif own_sinpif
#define cospif own_cospif
#define tanpif own_tanpif
#define asinpif own_asinpif
#define exp2m1f own_exp2m1f
#endif
static void of_pi(struct test *t) {
  for (int i = -70; i <= 70; ++i) {
    const float x = (float)i / 8;
    out(t, "%.5g %.5g %.5g", (double)sinpif(x), (double)cospif(x), (double)exp2m1f(x));
    if (i % 4) // poles and zeros: below
      out(t, "%.5g", (double)tanpif(x));
    if (abs(i) <= 64)
      out(t, "%.5g", (double)asinpif((float)i / 64));
  }
  out(t, "%g %g %g %g", (double)sinpif(1e9f), (double)cospif(1e9f), (double)sinpif(-3), (double)cospif(2.5f));
  out(t, "%d %d %d", isnan(sinpif(INFINITY)) != 0, isnan(cospif(-INFINITY)) != 0, isnan(asinpif(1.5f)) != 0);
  out(t, "%g %g %g", (double)exp2m1f(-200), (double)exp2m1f(200), (double)exp2m1f(1e-30f));
#ifdef __gpuexec__
  const int good = isinf(tanpif(0.5f)) && tanpif(0.5f) > 0 && tanpif(1.5f) < 0 && tanpif(0.25f) == 1 && signbit(tanpif(1)) && !signbit(tanpif(2));
#else
  const int good = 1; // C23's poles, and zeros whose signs change
#endif
  out(t, "%d", good);
}

// A whole number that fits: where it does not, C23 gives a NaN, glibc of before it any integer.
#define WHOLE(call) (errno = 0, number = (long)(call), errno ? errno : number)

static void run(struct test *t) {
  long number;
  char a[40], b[40], c[40];
  EXTREME(fmaximum) EXTREME(fmaximum_num) EXTREME(fmaximum_mag) EXTREME(fmaximum_mag_num)
  EXTREME(fminimum) EXTREME(fminimum_num) EXTREME(fminimum_mag) EXTREME(fminimum_mag_num)
  NARROW(fadd) NARROW(fsub) NARROW(fmul) NARROW(fdiv)
  for (int i = 0; i < COUNT; ++i) {
    if (!section(t))
      continue;
    const double x = values[i];
    const float f = (float)x;
    out(t, "%s %s", show(nextup(x), a), show(nextdown(x), b));
    out(t, "%s %s", show((double)nextupf(f), a), show((double)nextdownf(f), b));
    out(t, "%d %d", llogb(x) == (long)(x == 0 || isnan(x) ? FP_LLOGB0 : isinf(x) ? INT64_MAX : ilogb(x)), isnan(x) || llogbf(f) != 0 || llogbf(f) == 0);
    out(t, "%s %s", show(getpayload(&x), a), show((double)getpayloadf(&f), b));
    out(t, "%d %d", llogbf(f) == llogb((double)f), llogbl(x) == llogb(x) || fpclassify(x) == FP_SUBNORMAL);
    const long double l = x;
    out(t, "%s", nextupl(l) > l || isnan(x) || x == INFINITY ? "up" : "no");
    out(t, "%s", nextdownl(l) < l || isnan(x) || x == -INFINITY ? "down" : "no");
    float canonical_f;
    long double canonical_l;
    out(t, "%d %s", canonicalizef(&canonical_f, &f), show(canonical_f, a));
    out(t, "%d %s", canonicalizel(&canonical_l, &l), show((double)canonical_l, a));
    double canonical;
    out(t, "%d %s", canonicalize(&canonical, &x), show(canonical, a));
    for (int j = 0; j < COUNT; ++j)
      out(t, "%d%d %s", !!totalorder(&x, &values[j]), !!totalordermag(&x, &values[j]), show((double)ffma(x, values[j], 0.1), a));
    for (int j = 0; j < COUNT; ++j) {
      const float g = (float)values[j];
      if (isnan(x) && isnan(values[j]))
        continue; // two NaNs of conversions: any, and orders tell them apart
      const long double m = values[j];
      out(t, "%d%d %d%d", !!totalorderf(&f, &g), !!totalordermagf(&f, &g), !!totalorderl(&l, &m), !!totalordermagl(&l, &m));
      if (fabs(x) < 1e15 && fabs(values[j]) < 1e15) // where 80 bits hold what 53 do not
        out(t, "%s", show((double)ffmal(x, values[j], 0.1), a));
    }
    out(t, "%s %s", show((double)fsqrtl(fabsl(l)), a), show((double)fsqrt(fabs(x)), b));
    out(t, "%s", show((double)fsqrt(fabs(x)), a));
    if (fabs(x) < 1e6)
      for (int direction = 0; direction < 5; ++direction)
        for (int width = 4; width <= 64; width += 20) {
          out(t, "%ld %ld %ld", WHOLE(fromfp(x, direction, width)), WHOLE(fromfpf(f, direction, width)), WHOLE(fromfpl(l, direction, width)));
          out(t, "%ld %ld %ld", WHOLE(fromfpx(x, direction, width)), WHOLE(fromfpxf(f, direction, width)), WHOLE(fromfpxl(l, direction, width)));
          out(t, "%ld %ld %ld", WHOLE(ufromfp(x, direction, width)), WHOLE(ufromfpf(f, direction, width)), WHOLE(ufromfpl(l, direction, width)));
          out(t, "%ld %ld %ld", WHOLE(ufromfpx(x, direction, width)), WHOLE(ufromfpxf(f, direction, width)), WHOLE(ufromfpxl(l, direction, width)));
        }
    double with;
    out(t, "%d %s", setpayload(&with, x), isnan(with) ? "nan" : show(with, b));
    out(t, "%s", show(getpayload(&with), a));
    out(t, "%d %d", setpayloadsig(&with, 7), isnan(with) != 0);
    float with_f;
    long double with_l;
    out(t, "%d %d %s", setpayloadf(&with_f, f), isnan(with_f) != 0, show((double)getpayloadf(&with_f), a));
    out(t, "%d %d %s", setpayloadsigf(&with_f, f), isnan(with_f) != 0, isnan(with_f) ? show((double)getpayloadf(&with_f), a) : "");
    if (fabs(x) < 0x1p51 || isnan(x)) { // 80 bits have larger payloads
      out(t, "%d %d %s", setpayloadl(&with_l, l), isnan(with_l) != 0, show((double)getpayloadl(&with_l), a));
      out(t, "%d %d", setpayloadsigl(&with_l, l), isnan(with_l) != 0);
    }
  }
  if (section(t))
    of_pi(t);
  if (!section(t))
    return;
  out(t, "%s %s", show(daddl(1, 2), a), show((double)faddl(1, 0.5), b));
  out(t, "%s %s %s", show(ddivl(1, 4), a), show(dmull(3, 0.5), b), show(dsubl(1, 0x1p-30), c));
  out(t, "%s %s", show(dsqrtl(2.25), a), show(dfmal(2, 3, 4), b));
}
