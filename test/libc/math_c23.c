// math.h's functions of C23 that glibc has too: IEEE 754-2019's extremes, orders, payloads, neighbours, rounding to integers,
// narrowing arithmetic; and those of _Float16, against float's rounded.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc -O2 -fno-builtin -w -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run --threads 256 --blocks 16 %t $(tail -1 %t.expected)
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
        out(t, #name " %s %s", show(name(values[i], values[j]), a), show((double)name##f((float)values[i], (float)values[j]), b));
#define NARROW(name) \
  if (section(t)) \
    _Pragma("nounroll") for (int i = 0; i < COUNT; ++i) \
      _Pragma("nounroll") for (int j = 0; j < COUNT; ++j) \
        out(t, #name " %s", show((double)name(values[i], values[j]), a));

static void run(struct test *t) {
  char a[40], b[40];
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
    double canonical;
    out(t, "%d %s", canonicalize(&canonical, &x), show(canonical, a));
    for (int j = 0; j < COUNT; ++j)
      out(t, "%d%d %s", !!totalorder(&x, &values[j]), !!totalordermag(&x, &values[j]), show((double)ffma(x, values[j], 0.1), a));
    out(t, "%s", show((double)fsqrt(fabs(x)), a));
    if (fabs(x) < 1e6)
      for (int direction = 0; direction < 5; ++direction)
        out(t, "%ld %ld %ld", (long)fromfp(x, direction, 32), (long)fromfpf(f, direction, 32), (long)ufromfp(fabs(x), direction, 32));
    double with;
    out(t, "%d %s", setpayload(&with, x), isnan(with) ? "nan" : show(with, b));
    out(t, "%s", show(getpayload(&with), a));
    out(t, "%d %d", setpayloadsig(&with, 7), isnan(with) != 0);
  }
  if (!section(t))
    return;
  out(t, "%s %s", show(daddl(1, 2), a), show((double)faddl(1, 0.5), b));
  out(t, "%s %s %s", show(ddivl(1, 4), a), show(dmull(3, 0.5), b), "");
  out(t, "%s %s", show(dsqrtl(2.25), a), show(dfmal(2, 3, 4), b));
  int good = 1;
#ifdef __gpuexec__
  // glibc has none for x86-64.
  for (int i = -2000; i < 2000; ++i) {
    const _Float16 h = (_Float16)(i * 0.03125f);
    good &= sinf16(h) == (_Float16)sinf((float)h) && ceilf16(h) == (_Float16)ceilf((float)h) && (float)nextupf16(h) > (float)h;
    good &= expf16(h) == (_Float16)expf((float)h) && lrintf16(h) == lrintf((float)h) && f16addf(h, 1.0f) == (_Float16)((float)h + 1);
    good &= (float)nextafterf16(h, -INFINITY) < (float)h && (float)fmaximumf16(h, 0) >= 0 && sqrtf16(fabsf16(h)) == (_Float16)sqrtf(fabsf((float)h));
  }
  for (int i = -40; i < 40; ++i) {
    const float x = (float)i / 4;
    good &= fabsf(sinpif(x) - sinf(x * 3.14159265f)) < 2e-5f && fabsf(cospif(x) - cosf(x * 3.14159265f)) < 2e-5f;
  }
  good &= sinpif(1) == 0 && cospif(0.5f) == 0 && cospif(1e8f) == 1 && isinf(tanpif(0.5f)) && tanpif(0.25f) == 1 && asinpif(1) == 0.5f && exp2m1f(3) == 7;
#endif
  out(t, "%d", good);
}
