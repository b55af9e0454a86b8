// Products of matrices, of which each must be right: products SIZE CALLS [BETA]. In CALLS/THREADS threads at once: CALLS/THREADS.
#include <cblas.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n, calls;
static double beta;

static void *work(void *argument) {
  const int seed = (int)(long)argument;
  const size_t count = (size_t)n * (size_t)n;
  double *a = malloc(count * sizeof *a), *b = malloc(count * sizeof *b), *c = calloc(count, sizeof *c), *sum = calloc((size_t)n, sizeof *sum);
  for (size_t i = 0; i < count; ++i)
    a[i] = (double)((i * 7 + (size_t)seed) % 5), b[i] = (double)((i * 3 + (size_t)seed) % 7);
  for (int call = 0; call < calls; ++call) {
    a[call % n] += 1;
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, beta, c, n);
    for (int row = 0; row < n; ++row) { // of one column
      const int column = call % n;
      double want = 0;
      for (int k = 0; k < n; ++k)
        want += a[(size_t)k * n + row] * b[(size_t)column * n + k];
      if (beta == 0 && c[(size_t)column * n + row] != want) {
        printf("failed: thread %d, call %d: element %d,%d is %g, not %g\n", seed, call, row, column, c[(size_t)column * n + row], want);
        exit(1);
      }
    }
  }
  return NULL;
}

int main(int argc, char **argv) {
  int threads = 1;
  n = atoi(argv[1]);
  sscanf(argv[2], "%d/%d", &calls, &threads);
  beta = argc > 3 ? atof(argv[3]) : 0;
  pthread_t *all = malloc(sizeof *all * (size_t)threads);
  for (long i = 0; i < threads; ++i)
    pthread_create(&all[i], NULL, work, (void *)i);
  for (int i = 0; i < threads; ++i)
    pthread_join(all[i], NULL);
  printf("right\n");
  return 0;
}
