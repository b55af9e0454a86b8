//===-- bench/blas_products.c - A program that calls BLAS -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The seconds of CALLS calls, a sum of the last one's result, and CALLS:
// blas_products FUNCTION N [CALLS]. Without CALLS it calls for two seconds, and
// three times at least. For bench/blas-programs --products:
//   cc -O2 bench/blas_products.c -o blas_products -lblas -llapack -lm
//===----------------------------------------------------------------------===//
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
  int n;
  double *a, *b, *c;
  float *s, *t, *u;
  int *rows;
  double *values, *work; ///< of factorisations
  int length, *integers, integers_length;
} operands;

void dgemm_(const char *, const char *, const int *, const int *, const int *,
            const double *, const double *, const int *, const double *,
            const int *, const double *, double *, const int *, size_t, size_t);
void sgemm_(const char *, const char *, const int *, const int *, const int *,
            const float *, const float *, const int *, const float *,
            const int *, const float *, float *, const int *, size_t, size_t);
void dsyrk_(const char *, const char *, const int *, const int *,
            const double *, const double *, const int *, const double *,
            double *, const int *, size_t, size_t);
void dtrsm_(const char *, const char *, const char *, const char *, const int *,
            const int *, const double *, const double *, const int *, double *,
            const int *, size_t, size_t, size_t, size_t);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);
void dgeqrf_(const int *, const int *, double *, const int *, double *,
             double *, const int *, int *);
void dsyevd_(const char *, const char *, const int *, double *, const int *,
             double *, double *, const int *, int *, const int *, int *, size_t,
             size_t);
void dgesdd_(const char *, const int *, const int *, double *, const int *,
             double *, double *, const int *, double *, const int *, double *,
             const int *, int *, int *, size_t);

static const double one = 1, zero = 0;
static const float one_single = 1, zero_single = 0;

static void call_dgemm(operands *o) {
  dgemm_("N", "N", &o->n, &o->n, &o->n, &one, o->a, &o->n, o->b, &o->n, &zero,
         o->c, &o->n, 1, 1);
}
static void call_sgemm(operands *o) {
  sgemm_("N", "N", &o->n, &o->n, &o->n, &one_single, o->s, &o->n, o->t, &o->n,
         &zero_single, o->u, &o->n, 1, 1);
}
static void call_dsyrk(operands *o) {
  dsyrk_("L", "N", &o->n, &o->n, &one, o->a, &o->n, &zero, o->c, &o->n, 1, 1);
}
static void call_dtrsm(operands *o) {
  dtrsm_("L", "L", "N", "U", &o->n, &o->n, &one, o->a, &o->n, o->c, &o->n, 1, 1,
         1, 1);
}
static void call_dgetrf(operands *o) {
  int info;
  dgetrf_(&o->n, &o->n, o->c, &o->n, o->rows, &info);
}
static void call_dgeqrf(operands *o) {
  int info;
  dgeqrf_(&o->n, &o->n, o->c, &o->n, o->values, o->work, &o->length, &info);
}
static void call_dsyevd(operands *o) {
  int info;
  dsyevd_("V", "L", &o->n, o->c, &o->n, o->values, o->work, &o->length,
          o->integers, &o->integers_length, &info, 1, 1);
}
static void call_dgesdd(operands *o) {
  int info;
  dgesdd_("N", &o->n, &o->n, o->c, &o->n, o->values, NULL, &o->n, NULL, &o->n,
          o->work, &o->length, o->integers, &info, 1);
}

static const struct {
  const char *name;
  void (*call)(operands *);
} functions[] = {{"dgemm", call_dgemm},   {"sgemm", call_sgemm},
                 {"dsyrk", call_dsyrk},   {"dtrsm", call_dtrsm},
                 {"dgetrf", call_dgetrf}, {"dgeqrf", call_dgeqrf},
                 {"dsyevd", call_dsyevd}, {"dgesdd", call_dgesdd}};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static operands make(int n) {
  const size_t count = (size_t)n * (size_t)n;
  operands o = {n,
                malloc(count * sizeof(double)),
                malloc(count * sizeof(double)),
                calloc(count, sizeof(double)),
                malloc(count * sizeof(float)),
                malloc(count * sizeof(float)),
                calloc(count, sizeof(float)),
                malloc((size_t)n * sizeof(int))};
  // dsyevd needs most.
  o.length = 1 + 6 * n + 2 * n * n;
  o.length = o.length < 100 * n ? 100 * n : o.length;
  o.integers_length = 3 + 8 * n;
  o.values = calloc((size_t)n, sizeof(double));
  o.work = malloc((size_t)o.length * sizeof(double));
  o.integers = malloc((size_t)o.integers_length * sizeof(int));
  for (size_t i = 0; i < count; ++i) {
    o.a[i] = (double)((i * 7919) % 1009) / 1009 / n;
    o.b[i] = (double)((i * 104729) % 1013) / 1013;
    o.s[i] = (float)o.a[i];
    o.t[i] = (float)o.b[i];
  }
  for (size_t i = 0; i < count; i += (size_t)n + 1)
    o.a[i] += 2;
  return o;
}

/// Of the values where the function has some: signs of vectors are anyone's.
static double sum(const operands *o, int is_single, int has_values) {
  double total = 0;
  for (int i = 0; has_values && i < o->n; ++i)
    total += fabs(o->values[i]);
  if (has_values)
    return total;
  for (size_t i = 0; i < (size_t)o->n * (size_t)o->n; ++i)
    total += is_single ? fabs((double)o->u[i]) : fabs(o->c[i]);
  return total;
}

int main(int argc, char **argv) {
  if (argc != 3 && argc != 4)
    return 2;
  const long wanted = argc > 3 ? atol(argv[3]) : 0;
  operands o = make(atoi(argv[2]));
  const size_t size = (size_t)o.n * (size_t)o.n * sizeof(double);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    if (strcmp(functions[i].name, argv[1]) != 0)
      continue;
    const int is_in_place = i >= 3;
    long calls = 0;
    const double begin = now();
    for (; wanted ? calls < wanted : calls < 3 || now() - begin < 2; ++calls) {
      if (is_in_place)
        memcpy(o.c, i >= 4 ? o.a : o.b, size);
      functions[i].call(&o);
    }
    printf("%.9f %.12g %ld\n", now() - begin, sum(&o, i == 1, i >= 6), calls);
    return 0;
  }
  return 2;
}
