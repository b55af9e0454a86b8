//===-- bench/blas.c - What calls of BLAS and LAPACK cost ------------------===//
// Microseconds of a call, the best of some rounds, for one function and size:
//   blas FUNCTION N
// Compiled for the host and for a device by bench/blas.
//===----------------------------------------------------------------------===//
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv,
             int *info);

typedef struct {
  int n;
  double *a, *b, *c, *x, *y;
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
  memcpy(o->c, o->a, (size_t)o->n * (size_t)o->n * sizeof *o->c);
  dgetrf_(&o->n, &o->n, o->c, &o->n, o->ipiv, &info);
}

static const struct {
  const char *name;
  void (*call)(operands *);
} functions[] = {{"daxpy", call_daxpy}, {"ddot", call_ddot},
                 {"dgemv", call_dgemv}, {"dgemm", call_dgemm},
                 {"sgemm", call_sgemm}, {"dsyrk", call_dsyrk},
                 {"dtrsm", call_dtrsm}, {"dgetrf", call_dgetrf}};

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/// The least microseconds of a call in rounds of a tenth of a second or so.
static double measure(void (*call)(operands *), operands *o) {
  call(o);
  double begin = now();
  call(o);
  const double once = now() - begin;
  const int repeats = once < 1e5 ? (int)(1e5 / (once + 1)) + 1 : 1;
  double best = once;
  for (int round = 0; round < 5; ++round) {
    begin = now();
    for (int i = 0; i < repeats; ++i)
      call(o);
    const double time = (now() - begin) / repeats;
    best = time < best ? time : best;
  }
  return best;
}

int main(int argc, char **argv) {
  if (argc < 3)
    return 2;
  const int n = atoi(argv[2]);
  const size_t size = (size_t)n * (size_t)n;
  double *memory = malloc((3 * size + 2 * (size_t)n) * sizeof *memory);
  operands o = {n,
                memory,
                memory + size,
                memory + 2 * size,
                memory + 3 * size,
                memory + 3 * size + n,
                malloc(3 * size * sizeof(float)),
                malloc((size_t)n * sizeof(int))};
  if (!memory || !o.s || !o.ipiv)
    return 1;
  for (size_t i = 0; i < 3 * size + 2 * (size_t)n; ++i)
    memory[i] = (double)(i * 7 % 13) / 13 + 0.1;
  for (size_t i = 0; i < 3 * size; ++i)
    o.s[i] = (float)memory[i];
  for (int i = 0; i < n; ++i)
    o.a[(size_t)i * (size_t)(n + 1)] = n; // a matrix that can be solved for
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i)
    if (!strcmp(argv[1], functions[i].name))
      return printf("%.3f\n", measure(functions[i].call, &o)), 0;
  return 2;
}
