// math.h for _Float16: all 65 536 values through every function, 4096 threads with 16 each; the host judges, by its double
// functions rounded to half, and by whole numbers where the function is about bits. With two arguments: each with 48 others.
// RUN: %hostcc -fno-builtin %s -o %t.judge -lm
// RUN: %gpucc %lanes -O2 -fno-builtin -w %s -o %t -lm
// RUN: %run --threads 256 --blocks 16 %t > %t.results
// RUN: %t.judge < %t.results
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What LLVM's list and C23 have; those that glibc has no function of double for are below.
#define ONE(f) \
  f(acos) f(acosh) f(asin) f(asinh) f(atan) f(atanh) f(ceil) f(cos) f(cosh) f(exp) f(exp10) f(exp2) f(expm1) f(fabs) f(floor) \
  f(log) f(log10) f(log1p) f(log2) f(logb) f(nearbyint) f(rint) f(round) f(roundeven) f(sin) f(sinh) f(sqrt) f(tan) f(tanh) f(trunc)
#define ONE_PI(f) f(sinpi) f(cospi) f(tanpi) f(asinpi) f(exp2m1)
#define TWO(f) \
  f(atan2) f(copysign) f(fdim) f(fmax) f(fmin) f(fmod) f(hypot) f(pow) f(remainder) \
  f(fmaximum) f(fmaximum_num) f(fmaximum_mag) f(fmaximum_mag_num) f(fminimum) f(fminimum_num) f(fminimum_mag) f(fminimum_mag_num)
#define NARROWING(f) f(add) f(sub) f(mul) f(div)
#define TO_INTEGER(f) f(lrint) f(lround) f(llrint) f(llround)

enum { EACH = 16, OTHERS = 48 };
#define COUNT_(name) +1
enum { ONES = 0 ONE(COUNT_), PIS = 0 ONE_PI(COUNT_), TWOS = 0 TWO(COUNT_), NARROWS = 0 NARROWING(COUNT_), INTEGERS = 0 TO_INTEGER(COUNT_), BITS = 19 };

struct result {
  uint16_t first, padding[3];
  uint16_t ones[EACH][ONES], pis[EACH][PIS], bits[EACH][BITS];
  uint16_t twos[EACH][OTHERS][TWOS], narrows[EACH][OTHERS][NARROWS][3], more[EACH][OTHERS][8];
  int32_t integers[EACH][INTEGERS];
};

static double other(unsigned i, unsigned j) { // doubles of few bits, also such that ties are near
  static const double all[] = {0, 1, -1, 0.5, 2, 3, -2.5, 10, 0x1p-24, 0x1p-14, 65504, INFINITY, -INFINITY, NAN, 0x1p-11, -0x1p-11};
  if (j < 16)
    return all[j];
  const uint32_t hash = (i * 48 + j) * 2654435761u;
  if (j < 32)
    return ldexp((hash >> 20) - 2048.0, (int)(hash % 24) - 20);
  return ldexp(1 + (hash >> 21) * 0x1p-11, (int)(hash % 30) - 24) * (1 + (j & 1 ? 0x1p-30 : -0x1p-30));
}

static uint16_t bits_of(_Float16 x) {
  uint16_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (bits & 0x7fff) > 0x7c00 ? 0x7e00 : bits; // one NaN
}
static _Float16 half_of(uint16_t bits) {
  _Float16 x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

#ifdef __gpuexec__
static __attribute__((noinline)) void one_argument(struct result *r, unsigned i, _Float16 x) {
  uint16_t *to = r->ones[i];
#define CALL(name) *to++ = bits_of(name##f16(x));
  ONE(CALL)
  to = r->pis[i];
  ONE_PI(CALL)
#define CALL_INTEGER(name) r->integers[i][n++] = (int32_t)name##f16(x);
  int n = 0;
  if (isfinite((float)x)) {
    TO_INTEGER(CALL_INTEGER)
  }
}
static __attribute__((noinline)) void about_bits(struct result *r, unsigned i, _Float16 x) {
  uint16_t *to = r->bits[i];
  _Float16 y = 0, whole;
  int exponent = 0;
  *to++ = bits_of(nextupf16(x));
  *to++ = bits_of(nextdownf16(x));
  *to++ = (uint16_t)canonicalizef16(&y, &x);
  *to++ = bits_of(y);
  *to++ = bits_of(getpayloadf16(&x));
  *to++ = (uint16_t)(setpayloadf16(&y, x) != 0);
  *to++ = bits_of(getpayloadf16(&y));
  *to++ = (uint16_t)(setpayloadsigf16(&y, x) != 0);
  *to++ = bits_of(getpayloadf16(&y));
  *to++ = bits_of(frexpf16(x, &exponent));
  *to++ = isfinite((float)x) && x != 0 ? (uint16_t)exponent : 0;
  *to++ = bits_of(modff16(x, &whole));
  *to++ = bits_of(whole);
  *to++ = isfinite((float)x) && x != 0 ? (uint16_t)llogbf16(x) : 0;
  *to++ = isfinite((float)x) && x != 0 ? (uint16_t)ilogbf16(x) : 0;
  *to++ = bits_of(fromfpf16(x, FP_INT_TONEAREST, 11));
  *to++ = bits_of(fromfpxf16(x, FP_INT_UPWARD, 11));
  *to++ = bits_of(ufromfpf16(x, FP_INT_DOWNWARD, 11));
  *to++ = bits_of(ufromfpxf16(x, FP_INT_TOWARDZERO, 11));
}
static __attribute__((noinline)) void two_arguments(struct result *r, unsigned i, _Float16 x, unsigned first) {
#pragma nounroll
  for (int j = 0; j < OTHERS; ++j) {
    const double wide = other(first + i, j);
    const _Float16 y = (_Float16)wide;
    uint16_t *to = r->twos[i][j];
#define CALL_TWO(name) *to++ = bits_of(name##f16(x, y));
    TWO(CALL_TWO)
    const double near = (double)x * (1 + 0x1p-30);
    int n = 0, quotient = 0;
#define CALL_NARROW(name) \
  r->narrows[i][j][n][0] = bits_of(f16##name(near, wide)), r->narrows[i][j][n][1] = bits_of(f16##name##f((float)near, (float)wide)), \
  r->narrows[i][j][n++][2] = bits_of(f16##name##l((long double)near, (long double)wide));
    NARROWING(CALL_NARROW)
    to = r->more[i][j];
    *to++ = bits_of(f16sqrt(wide)) ^ bits_of(f16sqrtl(wide)) ^ bits_of(f16sqrtf((float)wide));
    *to++ = bits_of(f16fma(near, wide, 0x1p-40)) ^ bits_of(f16fmal(near, wide, 0x1p-40)) ^ bits_of(f16fmaf((float)near, (float)wide, 0x1p-40f));
    *to++ = bits_of(fmaf16(x, y, (_Float16)0.0999f));
    *to++ = bits_of(nextafterf16(x, y));
    *to++ = bits_of(nexttowardf16(x, wide));
    *to++ = (uint16_t)(totalorderf16(&x, &y) != 0) * 2 + (totalordermagf16(&x, &y) != 0);
    *to = bits_of(remquof16(x, y, &quotient));
    *to ^= isfinite((float)x) && y != 0 && !isnan((float)y) ? (quotient & 7) << 3 : 0;
    ++to;
    *to++ = bits_of(ldexpf16(x, j - 24)) ^ bits_of(scalbnf16(x, j - 24)) ^ bits_of(scalblnf16(x, j - 24));
  }
}
int main(void) {
  static unsigned threads;
  struct result *r = calloc(1, sizeof *r);
  if (!r || bits_of(nanf16("1")) != 0x7e00)
    return 1;
  r->first = (uint16_t)(__atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED) * EACH);
  for (unsigned i = 0; i < EACH; ++i) {
    const _Float16 x = half_of((uint16_t)(r->first + i));
    one_argument(r, i, x);
    about_bits(r, i, x);
    two_arguments(r, i, x, r->first);
  }
  return fwrite(r, sizeof *r, 1, stdout) != 1;
}
#else
static long failures, checked, limit = 40;
static void check(const char *name, double x, double y, uint16_t found, uint16_t expected) {
  ++checked;
  if (found != expected && failures++ < limit)
    printf("%s(%a, %a) is %04x, not %04x\n", name, x, y, found, expected);
}
static _Float16 next(_Float16 x, int up) {
  const uint16_t bits = bits_of(x);
  if (isnan((float)x))
    return x;
  if ((bits & 0x7fff) == 0)
    return half_of(up ? 1 : 0x8001);
  if (bits == (up ? 0x7c00 : 0xfc00))
    return x;
  return half_of((bits >> 15) != up ? bits + 1 : bits - 1);
}
static uint16_t of_double(double x) { return bits_of((_Float16)x); }
static double own_sinpi(double x) { return x == trunc(x) ? copysign(0, x) : sin(M_PI * fmod(x, 2)); }
static long double narrowed(int which, long double x, long double y) { return which == 0 ? x + y : which == 1 ? x - y : which == 2 ? x * y : x / y; }

static int order(uint16_t a, uint16_t b) {
  const int x = a & 0x8000 ? -(a & 0x7fff) - 1 : a, y = b & 0x8000 ? -(b & 0x7fff) - 1 : b;
  return x <= y;
}

int main(int argc, char **argv) {
  static struct result r;
  static char seen[65536];
  long records = 0;
  if (argc > 1)
    limit = atol(argv[1]);
  while (fread(&r, sizeof r, 1, stdin) == 1) {
    ++records;
    for (unsigned i = 0; i < EACH; ++i) {
      const uint16_t raw = r.first + i;
      const _Float16 x = half_of(raw);
      const double d = (double)x;
      const uint16_t *found = r.ones[i];
      seen[raw]++;
#define CHECK_ONE(name) check(#name, d, 0, *found++, of_double(name(d)));
      ONE(CHECK_ONE)
      found = r.pis[i];
      check("sinpi", d, 0, *found++, isfinite(d) ? of_double(own_sinpi(d)) : 0x7e00);
      check("cospi", d, 0, *found++, !isfinite(d) ? 0x7e00 : fabs(fmod(d, 1)) == 0.5 ? 0 : of_double(cos(M_PI * fmod(d, 2))));
      // A pole's sign, and a zero's, are as C23 says: those of sinpi/cospi.
      const double s = own_sinpi(d), c = fabs(fmod(d, 1)) == 0.5 ? 0 : cos(M_PI * fmod(d, 2));
      const double turn = fmod(d, 2);
      check("tanpi", d, 0, *found++,
            !isfinite(d)                ? 0x7e00
            : fabs(fmod(d, 1)) == 0.5   ? (turn == 0.5 || turn == -1.5 ? 0x7c00 : 0xfc00)
            : d == trunc(d)             ? of_double(copysign(0, fmod(d, 2) == 0 ? d : -d))
            : fabs(fmod(d, 0.5)) == .25 ? of_double(s * c > 0 ? 1 : -1)
                                        : of_double(s / c));
      check("asinpi", d, 0, *found++, fabs(d) == 0.5 ? of_double(copysign(1.0 / 6, d)) : of_double((double)(asinl(d) / 3.14159265358979323846264338327950288L)));
      check("exp2m1", d, 0, *found++, of_double(fabs(d) < 0.5 ? expm1(d * M_LN2) : exp2(d) - 1));
      if (isfinite(d)) {
        const int32_t *integer = r.integers[i];
#define CHECK_INTEGER(name) check(#name, d, 0, *integer++ == (int32_t)name(d), 1);
        TO_INTEGER(CHECK_INTEGER)
      }
      found = r.bits[i];
      check("nextup", d, 0, *found++, bits_of(next(x, 1)));
      check("nextdown", d, 0, *found++, bits_of(next(x, 0)));
      check("canonicalize", d, 0, *found++, 0);
      check("canonicalize", d, 0, *found++, bits_of(x));
      check("getpayload", d, 0, *found++, isnan(d) ? of_double(raw & 0x1ff) : of_double(-1));
      const int quiet = d >= 0 && d < 512 && d == trunc(d) && !(raw & 0x8000), signals = quiet && d > 0;
      check("setpayload", d, 0, *found++, !quiet);
      check("setpayload", d, 0, *found++, quiet ? of_double(d) : of_double(-1));
      check("setpayloadsig", d, 0, *found++, !signals);
      check("setpayloadsig", d, 0, *found++, signals ? of_double(d) : of_double(-1));
      int exponent = 0;
      double whole;
      check("frexp", d, 0, *found++, of_double(frexp(d, &exponent)));
      check("frexp", d, 0, *found++, isfinite(d) && d ? (uint16_t)exponent : 0);
      check("modf", d, 0, *found++, of_double(modf(d, &whole)));
      check("modf", d, 0, *found++, of_double(whole));
      check("llogb", d, 0, *found++, isfinite(d) && d ? (uint16_t)ilogb(d) : 0);
      check("ilogb", d, 0, *found++, isfinite(d) && d ? (uint16_t)ilogb(d) : 0);
#define FROM(name, direction) \
  { double integer = rounded(d, direction); check(#name, d, 0, *found++, in_range(integer, #name[0] == 'u') ? of_double(integer) : 0x7e00); }
#define rounded(d, direction) (direction == FP_INT_TONEAREST ? roundeven(d) : direction == FP_INT_UPWARD ? ceil(d) : direction == FP_INT_DOWNWARD ? floor(d) : trunc(d))
#define in_range(v, is_unsigned) (isfinite(v) && (is_unsigned ? v >= 0 && v <= 2047 : v >= -1024 && v <= 1023))
      FROM(fromfp, FP_INT_TONEAREST) FROM(fromfpx, FP_INT_UPWARD) FROM(ufromfp, FP_INT_DOWNWARD) FROM(ufromfpx, FP_INT_TOWARDZERO)
      for (int j = 0; j < OTHERS; ++j) {
        const double wide = other(r.first + i, j);
        const _Float16 y = (_Float16)wide;
        const double e = (double)y;
        found = r.twos[i][j];
// fmin and fmax of zeros of both signs: either.
#define CHECK_TWO(name) \
  if (d == 0 && e == 0 && #name[0] == 'f' && #name[1] == 'm' && !#name[4]) \
    ++found; \
  else \
    check(#name, d, e, *found++, of_double(name(d, e)));
        TWO(CHECK_TWO)
        const double near = d * (1 + 0x1p-30);
        for (int n = 0; n < NARROWS; ++n) {
          static const char *const names[] = {"f16add", "f16sub", "f16mul", "f16div"};
          const uint16_t expected = bits_of((_Float16)narrowed(n, near, wide));
          check(names[n], near, wide, r.narrows[i][j][n][0], expected);
          check("float's", near, wide, r.narrows[i][j][n][1], bits_of((_Float16)narrowed(n, (float)near, (float)wide)));
          check("long double's", near, wide, r.narrows[i][j][n][2], expected);
        }
        found = r.more[i][j];
        const uint16_t root = bits_of((_Float16)sqrtl(wide));
        check("f16sqrt", wide, 0, *found++, root ^ root ^ bits_of((_Float16)sqrtl((float)wide)));
        const uint16_t fused = bits_of((_Float16)((long double)near * wide + 0x1p-40L));
        check("f16fma", near, wide, *found++, bits_of((_Float16)((long double)(float)near * (float)wide + 0x1p-40L)) ^ fused ^ fused);
        check("fma", d, e, *found++, bits_of((_Float16)((long double)d * e + (double)(_Float16)0.0999f)));
        check("nextafter", d, e, *found++, isnan(d) || isnan(e) ? 0x7e00 : d == e ? bits_of(y) : bits_of(next(x, d < e)));
        check("nexttoward", d, wide, *found++, isnan(d) || isnan(wide) ? 0x7e00 : d == wide ? of_double(wide) : bits_of(next(x, d < wide)));
        uint16_t other_bits;
        memcpy(&other_bits, &y, 2);
        if (!isnan(e)) // which NaN it is, is the compilers' affair
          check("totalorder", d, e, *found, order(raw, other_bits) * 2 + order(raw & 0x7fff, other_bits & 0x7fff));
        ++found;
        int quotient = 0;
        const uint16_t rest = of_double(remquo(d, e, &quotient));
        check("remquo", d, e, *found++, rest ^ (isfinite(d) && e != 0 && !isnan(e) ? (quotient & 7) << 3 : 0));
        check("ldexp", d, j - 24, *found++, of_double(ldexp(d, j - 24)));
      }
    }
  }
  for (int i = 0; i < 65536; ++i)
    failures += seen[i] != 1;
  printf("%ld records, %ld results, %ld wrong\n", records, checked, failures);
  return failures != 0 || records != 4096;
}
#endif
