// Calls of BLAS and LAPACK from threads, and from the lanes of OpenMP; in a sandbox, and with the device in another process.
// RUN: %gpucc -O2 -w -pthread %s -o %t.threads -llapack -lm
// RUN: %gpucc -O2 -w -fopenmp %s -o %t.lanes -llapack -lm
// RUN: %run %t.threads > %t.out && %run %t.lanes >> %t.out
// RUN: %run --sandbox %t.threads >> %t.out && %run --sandbox %t.lanes >> %t.out
// RUN: sort %t.out | uniq -c | FileCheck %s
// CHECK: 2 lanes: 40 of 40
// CHECK-NEXT: 2 threads: 6 of 6
// CHECK-NOT: {{.}}
// RUN: %if emulator %{ %run --isolate %t.threads > %t.isolated && %run --isolate %t.lanes >> %t.isolated && sort %t.isolated | FileCheck %s --check-prefix=ISOLATED %}
// ISOLATED: lanes: 40 of 40
// ISOLATED-NEXT: threads: 6 of 6
// ISOLATED-NOT: {{.}}
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// Solves a system whose solution is known; its size and numbers depend on `seed`. 1: it was found.
static int solves(int seed) {
  const int n = 3 + seed % 20;
  double *a = malloc(n * n * sizeof *a), *x = malloc(n * sizeof *x), *b = malloc(n * sizeof *b);
  int *ipiv = malloc(n * sizeof *ipiv), right;
  for (int i = 0; i < n * n; ++i)
    a[i] = (i * (seed + 3) % 17) - 8 + (i % (n + 1) ? 0 : 100);
  for (int i = 0; i < n; ++i)
    x[i] = i - seed;
  const int by_rows = seed % 2; // by columns a GPU's library does it
  cblas_dgemv(by_rows ? CblasRowMajor : CblasColMajor, CblasNoTrans, n, n, 1, a, n, x, 1, 0, b, 1);
  right = LAPACKE_dgesv(by_rows ? LAPACK_ROW_MAJOR : LAPACK_COL_MAJOR, n, 1, a, n, ipiv, b, by_rows ? 1 : n) == 0;
  for (int i = 0; i < n; ++i)
    right &= fabs(b[i] - x[i]) < 1e-9;
  free(a), free(x), free(b), free(ipiv);
  return right;
}

enum { THREADS = 6, LANES = 40 };

#ifdef _OPENMP
int main(void) {
  int right = 0;
#pragma omp parallel for reduction(+ : right)
  for (int i = 0; i < LANES; ++i)
    right += solves(i);
  printf("lanes: %d of %d\n", right, LANES);
  return 0;
}
#else
static void *run(void *seed) { return (void *)(long)solves(*(int *)seed); }

int main(void) {
  pthread_t threads[THREADS];
  int seeds[THREADS], right = 0;
  for (int i = 0; i < THREADS; ++i)
    seeds[i] = i * 5, pthread_create(&threads[i], NULL, run, &seeds[i]);
  for (int i = 0; i < THREADS; ++i) {
    void *result;
    pthread_join(threads[i], &result);
    right += (long)result;
  }
  printf("threads: %d of %d\n", right, THREADS);
  return 0;
}
#endif
