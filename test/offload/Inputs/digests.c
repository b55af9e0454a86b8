// Threads that call functions of BLAS and LAPACK, each on numbers of its own: digests threads|turns. A line for each thread has a digest of
// all bytes of its results. In turns a thread begins when the one before it has ended.
#include <cblas.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dgesv_(const int *, const int *, double *, const int *, int *, double *, const int *, int *);
void dgeqrf_(const int *, const int *, double *, const int *, double *, double *, const int *, int *);
void dsyevd_(const char *, const char *, const int *, double *, const int *, double *, double *, const int *, int *, const int *, int *, size_t, size_t);
void dgesvd_(const char *, const char *, const int *, const int *, double *, const int *, double *, double *, const int *, double *, const int *, double *,
             const int *, int *, size_t, size_t);

enum { THREADS = 5, ROUNDS = 6 };
static uint64_t digests[THREADS];

static void add(uint64_t *digest, const void *bytes, size_t size) {
  for (size_t i = 0; i < size; ++i)
    *digest = (*digest ^ ((const unsigned char *)bytes)[i]) * 1099511628211u;
}

static void *work(void *argument) {
  const int me = (int)(long)argument, n = 60 + 10 * me, length = 40000, ilength = 2000;
  const size_t size = sizeof(double) * (size_t)n * (size_t)n;
  double *given = malloc(size), *a = malloc(size), *b = malloc(size), *c = calloc(1, size), *u = malloc(size), *work = malloc(sizeof *work * length);
  int *iwork = malloc(sizeof *iwork * ilength), info = 0;
  double values[128] = {0};
  unsigned state = (unsigned)me + 1;
  for (int i = 0; i < n * n; ++i)
    given[i] = (double)((state = state * 1103515245u + 12345u) >> 16 & 1023) / 700 - 0.7;
  uint64_t digest = 14695981039346656037u;
  for (int round = 0; round < ROUNDS; ++round) {
    cblas_dgemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, 1.1, given, n, given, n, 0.3, c, n);
    add(&digest, c, size);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, n, n, 0.7, given, n, 0.1, c, n);
    add(&digest, c, size);
    memcpy(a, given, size), memcpy(b, c, size);
    dgesv_(&n, &n, a, &n, iwork, b, &n, &info);
    add(&digest, b, size);
    memcpy(a, given, size);
    dgeqrf_(&n, &n, a, &n, values, work, &length, &info);
    add(&digest, a, size);
    memcpy(a, given, size);
    dsyevd_("V", "L", &n, a, &n, values, work, &length, iwork, &ilength, &info, 1, 1);
    add(&digest, a, size), add(&digest, values, sizeof values);
    memcpy(a, given, size);
    dgesvd_("S", "S", &n, &n, a, &n, values, u, &n, b, &n, work, &length, &info, 1, 1);
    add(&digest, u, size), add(&digest, b, size), add(&digest, values, sizeof values);
  }
  digests[me] = digest;
  return NULL;
}

int main(int argc, char **argv) {
  const int in_turns = !strcmp(argv[1], "turns");
  pthread_t all[THREADS];
  for (long i = 0; i < THREADS; ++i) {
    pthread_create(&all[i], NULL, work, (void *)i);
    if (in_turns)
      pthread_join(all[i], NULL);
  }
  for (int i = 0; i < THREADS; ++i) {
    if (!in_turns)
      pthread_join(all[i], NULL);
    printf("thread %d: %016llx\n", i, (unsigned long long)digests[i]);
  }
  return 0;
}
