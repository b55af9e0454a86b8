//===-- bench/blas.c - What calls of BLAS and LAPACK cost ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Microseconds of a call, the best of some rounds, a line for each size:
//   blas FUNCTION N...
// `products`: of one of 4096 products by the threads of OpenMP.
// Compiled for the host and for a device by bench/blas. With BLAS_TIMES, for a
// device: a line of the mean times of the steps of a call (microseconds):
// build, send, wait, return, and to the next call.
//===----------------------------------------------------------------------===//
#include "best_time.h"
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv,
             int *info);

typedef struct {
  int n;
  double *a, *b, *c, *x, *y;
  double *many; ///< for products; NULL: not asked
  float *s;
  int *ipiv;
} operands;

static void call_daxpy(operands *o) {
  cblas_daxpy(o->n, 0.5, o->x, 1, o->y, 1);
}
static void call_ddot(operands *o) {
  o->y[0] += 1e-300 * cblas_ddot(o->n, o->x, 1, o->x, 1);
}
static void call_dgemv(operands *o) {
  cblas_dgemv(CblasColMajor, CblasNoTrans, o->n, o->n, 1, o->a, o->n, o->x, 1,
              0, o->y, 1);
}
static void call_dgemm(operands *o) {
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, o->n, o->n, o->n, 1,
              o->a, o->n, o->b, o->n, 0, o->c, o->n);
}
static void call_sgemm(operands *o) {
  const size_t size = (size_t)o->n * (size_t)o->n;
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, o->n, o->n, o->n, 1,
              o->s, o->n, o->s + size, o->n, 0, o->s + 2 * size, o->n);
}
static void call_dsyrk(operands *o) {
  cblas_dsyrk(CblasColMajor, CblasUpper, CblasNoTrans, o->n, o->n, 1, o->a,
              o->n, 0, o->c, o->n);
}
static void call_dtrsm(operands *o) {
  cblas_dtrsm(CblasColMajor, CblasLeft, CblasUpper, CblasNoTrans, CblasNonUnit,
              o->n, o->n, 1, o->a, o->n, o->b, o->n);
}
static void call_dgetrf(operands *o) {
  int info;
  // By the library: memcpy() of a GPU's single thread takes longer than that.
  cblas_dcopy(o->n * o->n, o->a, 1, o->c, 1);
  dgetrf_(&o->n, &o->n, o->c, &o->n, o->ipiv, &info);
}

/// Products by all threads that there are, each of matrices of its own; the
/// time is that of one product.
enum { PRODUCTS = 4096 };
static void call_products(operands *o) {
  const size_t size = (size_t)o->n * (size_t)o->n;
#pragma omp parallel for
  for (int i = 0; i < PRODUCTS; ++i) {
    double *a = o->many + 3 * size * (size_t)i;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, o->n, o->n, o->n, 1,
                a, o->n, a + size, o->n, 0, a + 2 * size, o->n);
  }
}

static const struct {
  const char *name;
  void (*call)(operands *);
} functions[] = {{"products", call_products}, {"daxpy", call_daxpy},
                 {"ddot", call_ddot},         {"dgemv", call_dgemv},
                 {"dgemm", call_dgemm},       {"sgemm", call_sgemm},
                 {"dsyrk", call_dsyrk},       {"dtrsm", call_dtrsm},
                 {"dgetrf", call_dgetrf}};

typedef struct {
  void (*call)(operands *);
  operands *operands;
} timed_call;

static int make_call(void *context) {
  timed_call *timed = context;
  timed->call(timed->operands);
  return 0;
}

#ifdef BLAS_TIMES
#include "services/blas/device/times.h"

/// Ticks of the clock of blas_time_now() in a microsecond.
static double ticks_per_microsecond(void) {
  const uint64_t ticks = blas_time_now();
  const double begin = microseconds_now();
  double now = begin;
  while (now - begin < 1e4)
    now = microseconds_now();
  return (double)(blas_time_now() - ticks) / (now - begin);
}

/// Prints the mean time of a call and of its steps, of calls one after the
/// other.
static void print_steps(timed_call *timed) {
  enum { CALLS = 2000 };
  const double ticks = ticks_per_microsecond() * CALLS;
  uint64_t before[BLAS_POINTS];
  for (int i = 0; i < 10; ++i)
    make_call(timed);
  memcpy(before, blas_times, sizeof before);
  const double begin = microseconds_now();
  for (int i = 0; i < CALLS; ++i)
    make_call(timed);
  double left = (microseconds_now() - begin) / CALLS;
  printf("%.2f", left);
  uint64_t last = 0;
  for (int i = 0; i < BLAS_POINTS; ++i) {
    const uint64_t sum = __atomic_load_n(&blas_times[i], __ATOMIC_RELAXED);
    const uint64_t spent = sum - before[i];
    if (i) {
      printf(" %.2f", (double)(spent - last) / ticks);
      left -= (double)(spent - last) / ticks;
    }
    last = spent;
  }
  printf(" %.2f\n", left);
}
#endif

/// Numbers that repeat, which one thread of a GPU need not write by itself.
static void fill(double *doubles, float *singles, size_t double_count,
                 size_t single_count) {
  enum { PERIOD = 13, FIRST = 64 * PERIOD };
  for (size_t i = 0; i < FIRST && i < double_count; ++i)
    doubles[i] = (double)(i * 7 % PERIOD) / PERIOD + 0.1;
  for (size_t i = 0; i < FIRST && i < single_count; ++i)
    singles[i] = (float)(i * 7 % PERIOD) / PERIOD + 0.1f;
  for (size_t done = FIRST; done < double_count; done *= 2) {
    const size_t left = double_count - done;
    cblas_dcopy((int)(left < done ? left : done), doubles, 1, doubles + done,
                1);
  }
  for (size_t done = FIRST; done < single_count; done *= 2) {
    const size_t left = single_count - done;
    cblas_scopy((int)(left < done ? left : done), singles, 1, singles + done,
                1);
  }
}

/// Operands for matrices of up to `most` rows and columns.
static int allocate(operands *o, int most) {
  const size_t size = (size_t)most * (size_t)most;
  o->a = malloc((3 * size + 2 * (size_t)most) * sizeof *o->a);
  o->s = malloc(3 * size * sizeof *o->s);
  o->ipiv = malloc((size_t)most * sizeof *o->ipiv);
  return o->a && o->s && o->ipiv;
}

static void set(operands *o, int n) {
  const size_t size = (size_t)n * (size_t)n;
  o->n = n;
  o->b = o->a + size;
  o->c = o->b + size;
  o->x = o->c + size;
  o->y = o->x + n;
  fill(o->a, o->s, 3 * size + 2 * (size_t)n, 3 * size);
  for (int i = 0; i < n; ++i)
    o->a[(size_t)i * (size_t)(n + 1)] = n; // a matrix that can be solved for
}

int main(int argc, char **argv) {
  operands o = {0};
  int most = 0;
  size_t function = 0;
  const size_t count = sizeof functions / sizeof *functions;
  for (int i = 2; i < argc; ++i)
    most = atoi(argv[i]) > most ? atoi(argv[i]) : most;
  while (function < count && most && strcmp(argv[1], functions[function].name))
    ++function;
  if (!most || function == count)
    return 2;
  if (!allocate(&o, most))
    return 1;
  if (functions[function].call == call_products) {
    o.many = calloc((size_t)PRODUCTS * 3 * (size_t)most * (size_t)most,
                    sizeof *o.many);
    if (!o.many)
      return 1;
  }
  for (int i = 2; i < argc; ++i) {
    set(&o, atoi(argv[i]));
    timed_call timed = {functions[function].call, &o};
#ifdef BLAS_TIMES
    print_steps(&timed);
#else
    const double best = best_microseconds(make_call, &timed);
    printf("%.6g\n", o.many ? best / PRODUCTS : best);
#endif
  }
  return 0;
}
