// Reads accuracy.c's results and compares each with MPFR's, computed with 200 bits. Fails when a function's largest
// error is above its limit in accuracy.def; prints the table with -v or on failure.
#include "accuracy.h"
#include <math.h>
#include <mpfr.h>
#include <stdio.h>
#include <string.h>

typedef int one(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int two(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);

static int lgamma_abs(mpfr_t to, const mpfr_t x, mpfr_rnd_t mode) {
  int sign;
  return mpfr_lgamma(to, &sign, x, mode);
}

static const struct {
  const char *name;
  one *f1;
} ones[] = {{"sqrt", mpfr_sqrt},   {"exp", mpfr_exp},     {"exp2", mpfr_exp2},   {"expm1", mpfr_expm1}, {"log", mpfr_log},
            {"log2", mpfr_log2},   {"log10", mpfr_log10}, {"log1p", mpfr_log1p}, {"sin", mpfr_sin},     {"cos", mpfr_cos},
            {"tan", mpfr_tan},     {"asin", mpfr_asin},   {"acos", mpfr_acos},   {"atan", mpfr_atan},   {"sinh", mpfr_sinh},
            {"cosh", mpfr_cosh},   {"tanh", mpfr_tanh},   {"asinh", mpfr_asinh}, {"acosh", mpfr_acosh}, {"atanh", mpfr_atanh},
            {"cbrt", mpfr_cbrt},   {"erf", mpfr_erf},     {"erfc", mpfr_erfc},   {"tgamma", mpfr_gamma}, {"lgamma", lgamma_abs}};
static const struct {
  const char *name;
  two *f2;
} twos[] = {{"pow", mpfr_pow}, {"atan2", mpfr_atan2}, {"hypot", mpfr_hypot}};

static const struct {
  const char *name;
  int is_float, arguments;
  double limit;
} functions[] = {
#define D1(name, low, high, limit) {#name, 0, 1, limit},
#define F1(name, low, high, limit) {#name, 1, 1, limit},
#define D2(name, low, high, low2, high2, limit) {#name, 0, 2, limit},
#define F2(name, low, high, low2, high2, limit) {#name, 1, 2, limit},
#include "accuracy.def"
};

static int same_name(const char *wanted, const char *name, int is_float) {
  size_t length = strlen(name);
  return !strncmp(wanted, name, length) && !strcmp(wanted + length, is_float ? "f" : "");
}

int main(int argc, char **argv) {
  double worst[FUNCTIONS] = {0}, at[FUNCTIONS][2];
  long counts[FUNCTIONS] = {0};
  mpfr_t x, y, exact, difference;
  mpfr_inits2(200, x, y, exact, difference, (mpfr_ptr)0);
  struct accuracy_record r;
  while (fread(&r, sizeof r, 1, stdin) == 1) {
    if (r.function >= FUNCTIONS)
      return puts("bad record"), 1;
    int is_float = functions[r.function].is_float;
    mpfr_set_d(x, r.x, MPFR_RNDN);
    mpfr_set_d(y, r.y, MPFR_RNDN);
    if (functions[r.function].arguments == 1) {
      for (unsigned i = 0; i < sizeof ones / sizeof *ones; ++i)
        if (same_name(functions[r.function].name, ones[i].name, is_float))
          ones[i].f1(exact, x, MPFR_RNDN);
    } else {
      for (unsigned i = 0; i < sizeof twos / sizeof *twos; ++i)
        if (same_name(functions[r.function].name, twos[i].name, is_float))
          twos[i].f2(exact, x, y, MPFR_RNDN);
    }
    double rounded = mpfr_get_d(exact, MPFR_RNDN);
    int least = is_float ? -149 : -1074, bits = is_float ? 24 : 53;
    double error;
    if (is_float && (isinf((float)rounded) || isinf(r.result)))
      error = isinf((float)rounded) && isinf(r.result) ? 0 : 1e9;
    else if (isinf(rounded) || isinf(r.result) || isnan(r.result))
      error = rounded == r.result ? 0 : 1e9;
    else {
      long exponent = mpfr_zero_p(exact) ? least : mpfr_get_exp(exact) - bits;
      if (exponent < least)
        exponent = least;
      mpfr_sub_d(difference, exact, r.result, MPFR_RNDN);
      mpfr_mul_2si(difference, difference, -exponent, MPFR_RNDN);
      error = fabs(mpfr_get_d(difference, MPFR_RNDN));
    }
    ++counts[r.function];
    if (error > worst[r.function] || counts[r.function] == 1) {
      worst[r.function] = error;
      at[r.function][0] = r.x;
      at[r.function][1] = r.y;
    }
  }
  int failed = 0;
  for (int i = 0; i < FUNCTIONS; ++i) {
    int bad = !counts[i] || worst[i] > functions[i].limit;
    failed |= bad;
    if (bad || argc > 1)
      printf("%-8s %7.3f ulp (limit %g) over %ld arguments, worst at %a %a%s\n", functions[i].name, worst[i],
             functions[i].limit, counts[i], at[i][0], at[i][1], bad ? "  FAIL" : "");
  }
  return failed;
}
