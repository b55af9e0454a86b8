// tgmath.h: which function a macro stands for, by the types of its results and their values; and inttypes.h's functions and
// formats for every type, with errors.
// RUN: %hostcc -fno-builtin -w -I%source/test/libc %s -o %t.host -lm && %t.host > %t.expected
// RUN: %gpucc %lanes -O2 -w -I%source/test/libc %s -o %t -lm
// RUN: %run %t > %t.out
// RUN: diff %t.expected %t.out
// RUN: %run %many %t $(tail -1 %t.expected)
#define _GNU_SOURCE
#include "libc_test.h"
#include <inttypes.h>
#include <tgmath.h>
#include <wchar.h>

#define TYPE(x) _Generic((x), float: "float", double: "double", long double: "long double", float _Complex: "float complex", \
                         double _Complex: "double complex", long double _Complex: "long double complex", int: "int", long: "long", long long: "long long", \
                         default: "?")
#define VALUE(x) (isnan((double)(x)) ? -77.0 : (double)(x)) // a NaN's sign is nobody's affair
#define ONE(name) \
  out(t, #name " %s %s %s %s %.5g %.5g %.5g", TYPE(name(f)), TYPE(name(d)), TYPE(name(l)), TYPE(name(i)), VALUE(name(f)), VALUE(name(d)), VALUE(name(l)));
#define COMPLEX(name) \
  ONE(name) out(t, "%s %s %s %.4g %.4g", TYPE(name(zf)), TYPE(name(zd)), TYPE(name(zl)), (double)__real__ name(zd), (double)__imag__ name(zf));
#define TWO(name) \
  out(t, #name " %s %s %s %s %s %.5g %.5g", TYPE(name(f, f)), TYPE(name(f, d)), TYPE(name(d, l)), TYPE(name(i, f)), TYPE(name(i, i)), (double)name(f, d), \
      (double)name(l, f));

static void functions(struct test *t) {
  volatile float vf = 0.75f;
  const float f = vf;
  const double d = f;
  const long double l = f;
  const int i = 1;
  const float _Complex zf = __builtin_complex(f, 0.5f);
  const double _Complex zd = zf;
  const long double _Complex zl = zf;
  COMPLEX(acos) COMPLEX(asin) COMPLEX(atan) COMPLEX(acosh) COMPLEX(asinh) COMPLEX(atanh) COMPLEX(cos) COMPLEX(sin) COMPLEX(tan)
  COMPLEX(cosh) COMPLEX(sinh) COMPLEX(tanh) COMPLEX(exp) COMPLEX(log) COMPLEX(sqrt)
  ONE(cbrt) ONE(ceil) ONE(erf) ONE(erfc) ONE(exp2) ONE(expm1) ONE(floor) ONE(lgamma) ONE(log10) ONE(log1p) ONE(log2) ONE(logb)
  ONE(nearbyint) ONE(rint) ONE(round) ONE(tgamma) ONE(trunc)
  TWO(atan2) TWO(copysign) TWO(fdim) TWO(fmax) TWO(fmin) TWO(fmod) TWO(hypot) TWO(nextafter) TWO(remainder) TWO(pow)
  out(t, "%s %s %.5g", TYPE(pow(zd, f)), TYPE(pow(f, zf)), creal(pow(zd, f)));
  out(t, "%s %s %s %.5g", TYPE(fabs(f)), TYPE(fabs(zf)), TYPE(fabs(zd)), fabs(zd));
  out(t, "%s %s %.5g", TYPE(carg(zf)), TYPE(carg(d)), (double)carg(zf));
  out(t, "%s %s %s", TYPE(cimag(zf)), TYPE(creal(zl)), TYPE(conj(zd)));
  out(t, "%s %s", TYPE(cproj(zf)), TYPE(cproj(zl)));
  out(t, "%s %s %.5g", TYPE(fma(f, f, f)), TYPE(fma(f, d, i)), fma(d, d, d));
  int exponent = 0, quotient = 0;
  out(t, "%s %.5g %d", TYPE(frexp(f, &exponent)), (double)frexp(f, &exponent), exponent);
  out(t, "%s %s %.5g", TYPE(ldexp(f, 2)), TYPE(ldexp(l, 2)), ldexp(d, 2));
  out(t, "%s %s", TYPE(scalbn(f, 2)), TYPE(scalbln(d, 2l)));
  out(t, "%s %.5g", TYPE(remquo(f, f, &quotient)), (double)remquo(f, 0.5f, &quotient));
  out(t, "%s %d %d", TYPE(ilogb(f)), ilogb(f), ilogb(l));
  out(t, "%s %s %ld %lld", TYPE(lrint(f)), TYPE(llround(d)), lrint(f), llround(d));
  out(t, "%s %s", TYPE(nexttoward(f, l)), TYPE(nexttoward(d, l)));
}

static void integers(struct test *t) {
  static const char *const texts[] = {"", "0", "-1", "  +77z", "0x7fffffffffffffff", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
                                      "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615", "0xg", "08", "zz", "\t-0x1F "};
  static const int bases[] = {0, 2, 8, 10, 16, 36, 1, 37, -1};
  for (unsigned i = 0; i < sizeof texts / sizeof *texts; ++i)
    for (unsigned j = 0; j < sizeof bases / sizeof *bases; ++j) {
      wchar_t wide[40], *wide_end = wide;
      for (unsigned k = 0; k <= strlen(texts[i]); ++k)
        wide[k] = texts[i][k];
      char *end = (char *)texts[i];
      errno = 0;
      const intmax_t a = strtoimax(texts[i], &end, bases[j]);
      int error = errno;
      out(t, "%s %d: %" PRIdMAX " %td %d", texts[i], bases[j], a, end - texts[i], error);
      errno = 0;
      const uintmax_t b = strtoumax(texts[i], &end, bases[j]);
      out(t, "%" PRIuMAX " %td %d", b, end - texts[i], errno);
      errno = 0;
      const intmax_t c = wcstoimax(wide, &wide_end, bases[j]);
      out(t, "%" PRIdMAX " %td %d", c, wide_end - wide, errno);
      errno = 0;
      const uintmax_t e = wcstoumax(wide, &wide_end, bases[j]);
      out(t, "%" PRIxMAX " %td %d", e, wide_end - wide, errno);
    }
  const imaxdiv_t parts = imaxdiv(-17, 5), more = imaxdiv(INTMAX_MIN, 10);
  out(t, "%" PRIdMAX " %" PRIdMAX " %" PRIdMAX " %" PRIdMAX, parts.quot, parts.rem, more.quot, more.rem);
  out(t, "%" PRIdMAX " %" PRIdMAX, imaxabs(-5), imaxabs(INTMAX_MAX));
#define SIZE(n) \
  out(t, "%" PRId##n " %" PRIi##n " %" PRIu##n " %" PRIo##n " %" PRIx##n " %" PRIX##n, (int##n##_t)-3, INT##n##_MAX, UINT##n##_MAX, (uint##n##_t)64, (uint##n##_t)171, \
      UINT##n##_MAX); \
  out(t, "%" PRIdLEAST##n " %" PRIuLEAST##n " %" PRIxLEAST##n, (int_least##n##_t)-3, UINT_LEAST##n##_MAX, UINT_LEAST##n##_MAX); \
  out(t, "%" PRIdFAST##n " %" PRIxFAST##n, (int_fast##n##_t)-3, (uint_fast##n##_t)77); \
  { \
    int##n##_t a = 0; \
    uint##n##_t b = 0, c = 0; \
    int_fast##n##_t e = 0; \
    int_least##n##_t g = 0; \
    out(t, "%d", sscanf("-12 77 7f 12 -5", "%" SCNd##n "%" SCNo##n "%" SCNx##n "%" SCNdFAST##n "%" SCNiLEAST##n, &a, &b, &c, &e, &g)); \
    out(t, "%d %d %d %d %d", (int)a, (int)b, (int)c, (int)e, (int)g); \
  }
  SIZE(8) SIZE(16) SIZE(32) SIZE(64)
  out(t, "%" PRIdPTR " %" PRIuPTR " %" PRIxPTR " %" PRIdMAX, (intptr_t)-3, (uintptr_t)5, UINTPTR_MAX, INTMAX_MIN);
  intmax_t wide = 0;
  out(t, "%d %" PRIdMAX, sscanf("-99999999999", "%" SCNdMAX, &wide), wide);
}

static void run(struct test *t) {
  functions(t);
  integers(t);
}
