// math.h and complex.h in float and long double. long double is double on a GPU and more on the host: its functions are
// compared with double's to ten digits, those of float to five, exactly where all are exact; the Bessel functions, sincos
// and exp10, which C has not, with the host's.
// RUN: %hostcc -fno-builtin -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -fno-builtin -w -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#define SLICES 8
#include "libc_test.h"
#include <complex.h>
#include <math.h>

#ifndef CMPLX // glibc's header thinks that clang has none
#define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#endif

static const double values[] = {0.001, 0.25, 0.5, 0.9, 1, 1.5, 2.25, 7.5, 33.3, 100.5};
enum { COUNT = sizeof values / sizeof *values };

static int near(double a, double b, double part) {
  return (isnan(a) && isnan(b)) || a == b || fabs(a - b) <= part * fabs(b) || fabs(a - b) < 1e-300;
}
static int near_complex(double complex a, double complex b, double part) { return cabs(a - b) <= part * cabs(b); }

static void run(struct test *t) {
#define ONE(name) \
  if (section(t)) { \
    int good = 0; \
    _Pragma("nounroll") for (int i = 0; i < COUNT; ++i) \
      for (int sign = -1; sign <= 1; sign += 2) \
        good += near(name##l(sign * values[i]), name(sign * values[i]), 1e-10) + \
                near(name##f((float)(sign * values[i])), name((float)(sign * values[i])), 1e-5); \
    out(t, #name " %d", good); \
  }
#define TWO(name) \
  if (section(t)) { \
    int good = 0; \
    _Pragma("nounroll") for (int i = 0; i < COUNT; ++i) \
      _Pragma("nounroll") for (int j = 0; j < COUNT; ++j) \
        good += near(name##l(values[i], values[j]), name(values[i], values[j]), 1e-10) + \
                near(name##f((float)values[i], (float)values[j]), name((float)values[i], (float)values[j]), 1e-5); \
    out(t, #name " %d", good); \
  }
#define COMPLEX(name) \
  if (section(t)) { \
    int good = 0; \
    _Pragma("nounroll") for (int i = 1; i < 6; ++i) \
      _Pragma("nounroll") for (int j = 1; j < 6; ++j) { \
        double complex z = CMPLX(values[i], -values[j]); \
        good += near_complex((double complex)name##l(z), name(z), 1e-9) + \
                near_complex(name##f((float complex)z), name((double complex)(float complex)z), 1e-4); \
      } \
    out(t, #name " %d", good); \
  }
  // By their full names, for whoever looks for a test of them.
  ONE(acos) ONE(acosh) ONE(asin) ONE(asinh) ONE(atan) ONE(atanh) ONE(cbrt) ONE(ceil) ONE(cos) ONE(cosh) ONE(erf)
  ONE(erfc) ONE(exp) ONE(exp2) ONE(expm1) ONE(fabs) ONE(floor) ONE(log) ONE(log10) ONE(log1p) ONE(log2) ONE(logb)
  ONE(nearbyint) ONE(rint) ONE(round) ONE(roundeven) ONE(sin) ONE(sinh) ONE(sqrt) ONE(tan) ONE(tanh) ONE(trunc)
  ONE(lgamma) ONE(tgamma)
  TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(pow) TWO(remainder)
  COMPLEX(cacos) COMPLEX(cacosh) COMPLEX(casin) COMPLEX(casinh) COMPLEX(catan) COMPLEX(catanh) COMPLEX(ccos)
  COMPLEX(ccosh) COMPLEX(cexp) COMPLEX(clog) COMPLEX(conj) COMPLEX(cproj) COMPLEX(csin) COMPLEX(csinh) COMPLEX(csqrt)
  COMPLEX(ctan) COMPLEX(ctanh)
  if (!section(t))
    return;
  static volatile double x = 2.75, y = -0.3;
  const double complex z = CMPLX(x, y);
  int exponent = 0, other = 0;
  long double whole;
  float part;
  out(t, "%a %d", (double)frexpl(x, &exponent), exponent);
  out(t, "%a %d", (double)frexpf((float)x, &other), other);
  out(t, "%a %a", (double)ldexpl(x, 5), (double)ldexpf((float)x, -3));
  out(t, "%a %a", (double)modfl(x, &whole), (double)whole);
  out(t, "%a %a", (double)modff((float)x, &part), (double)part);
  out(t, "%d %d %d", ilogbl(x * 100), ilogbf((float)x * 100), ilogbf(0));
  out(t, "%a %a %a %a", (double)scalbnl(x, 3), (double)scalbnf((float)x, 3), (double)scalblnl(x, -2), (double)scalblnf((float)x, -2));
  out(t, "%a %a %d", scalb(x, 4), (double)scalbf((float)y, -2), isnan(scalb(x, y)) != 0);
  out(t, "%a %a %a", significand(x * 100), significand(y), (double)significandf((float)y));
  out(t, "%ld %ld %lld %lld", lrintl(x), lroundl(x), llrintl(-x), llroundl(-x));
  out(t, "%a %a", (double)fmal(x, y, 1), (double)nexttowardf(1, 2));
  out(t, "%d %d %d", nextafterl(x, 3) > x, nexttowardl(x, 3) > x, nexttoward(x, 3) > x);
  out(t, "%a %a", (double)nextafterf(1, 0), nexttoward(1, -1));
  out(t, "%a %d", (double)remquol(29, 7, &other), other & 7);
  out(t, "%a %d", (double)remquof(-29, 7, &other), other & 7);
  out(t, "%d %d %d", isnan(nanl("")) != 0, isnan(nanf("1")) != 0, isnan(fmaxf(NAN, NAN)) != 0);
  double sine, cosine;
  float sinef, cosinef;
  sincos(x, &sine, &cosine);
  sincosf((float)x, &sinef, &cosinef);
  out(t, "%.10f %.10f %.5f %.5f", sine, cosine, (double)sinef, (double)cosinef);
  out(t, "%.9g %.5g", exp10(x), (double)exp10f((float)x));
  out(t, "%.9g %d", lgamma_r(-x, &other), other);
  static const double gammas[] = {-0.0, 0.0, -0.5, -1.5, -2.4570247382208, -3, -100.3, -1e20, 1e-300, -1e-20, 170.5, INFINITY, -INFINITY, NAN};
  for (unsigned i = 0; i < sizeof gammas / sizeof *gammas; ++i) {
    errno = 0;
    double result = lgamma(gammas[i]);
    out(t, "%.12g %d", result, errno);
    out(t, "%d", isnan(result) ? 0 : signgam);
    other = 0;
    out(t, "%.6g %.12g %d", (double)lgammaf((float)gammas[i]), (double)lgammal_r(gammas[i], &other), isnan(result) ? 0 : other);
    out(t, "%.6g %.12g", (double)lgammaf_r((float)gammas[i], &other), (double)lgammal(gammas[i]));
    out(t, "%.12g %.6g %.12g", gamma(gammas[i]), (double)gammaf((float)gammas[i]), (double)gammal(gammas[i]));
  }
  long double sinel, cosinel;
  sincosl(x, &sinel, &cosinel);
  out(t, "%.10f %.10f %.9g", (double)sinel, (double)cosinel, (double)exp10l(x));
  out(t, "%.9g %.9g %.9g", (double)j0l(x), (double)j1l(x), (double)jnl(3, x));
  out(t, "%.9g %.9g %.9g", (double)y0l(x), (double)y1l(x), (double)ynl(2, x));
  out(t, "%g %g %g", (double)dreml(29, 7), (double)scalbl(3, 4), (double)significandl(12));
  out(t, "%g %g %d %d", drem(29, 7), (double)dremf(29, 7), isinfl(-INFINITY), isnanl(NAN) != 0);
  out(t, "%g %g %g", fmaxmag(-3, 2), (double)fminmagf(-3, 2), (double)fmaxmagl(-3, 3));
  out(t, "%g %g %g", fminmag(-3, 3), (double)fmaxmagf(NAN, 1), (double)fminmagl(1, NAN));
  out(t, "%d %g %.10f", isnan(SNAN) != 0, (double)M_PIf, (double)M_SQRT1_2l);
  out(t, "%.9g %.9g %.9g %.9g %.9g %.9g", j0(x), j1(x), jn(3, x), y0(x), y1(x), yn(2, x));
  out(t, "%.6f %.6f %.6f %.6f", (double)cabsl(z), (double)cargl(z), (double)creall(z), (double)cimagl(z));
  out(t, "%.5f %.5f %.5f %.5f", (double)cabsf((float complex)z), (double)cargf((float complex)z), (double)crealf((float complex)z),
      (double)cimagf((float complex)z));
  out(t, "%.6f %.4f", (double)creall(cpowl(z, z)), (double)crealf(cpowf((float complex)z, (float complex)z)));
}
