//===-- bench/openmp.c - What OpenMP's constructs cost --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nanoseconds of a barrier, a region, a reduction and so on, the best of some
// rounds, for the whole grid.
//   gpucc -O2 -fopenmp bench/openmp.c -o openmp
//   gpuexec --threads 256 --blocks 132 openmp        # a block per SM of an H100
//===----------------------------------------------------------------------===//
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 7 };
static int repeats = 1000;

/// Measures `code`, which does the construct `repeats` times.
#define MEASURE(name, code)                                                    \
  do {                                                                         \
    double best = 1e9;                                                         \
    for (int round = 0; round < ROUNDS; ++round) {                             \
      const double begin = omp_get_wtime();                                    \
      code;                                                                    \
      const double time = omp_get_wtime() - begin;                             \
      best = time < best ? time : best;                                        \
    }                                                                          \
    printf("%-28s %10.0f ns\n", name, best / repeats * 1e9);                   \
  } while (0)

static void barriers(void) {
#pragma omp parallel
  {
    const int count = repeats; // a barrier makes a thread read `repeats` again
    for (int i = 0; i < count; ++i) {
#pragma omp barrier
    }
  }
}

static void regions(void) {
  for (int i = 0; i < repeats; ++i) {
#pragma omp parallel
    ;
  }
}

static double sums(int n) {
  double sum = 0;
  for (int i = 0; i < repeats; ++i) {
#pragma omp parallel for reduction(+ : sum)
    for (int k = 0; k < n; ++k)
      sum += k;
  }
  return sum;
}

static int singles(void) {
  int count = 0;
#pragma omp parallel
  for (int i = 0; i < repeats; ++i) {
#pragma omp single
    ++count;
  }
  return count;
}

static void loops(int n) {
#pragma omp parallel
  for (int i = 0; i < repeats; ++i) {
#pragma omp for schedule(dynamic)
    for (int k = 0; k < n; ++k)
      ;
  }
}

int main(int argc, char **argv) {
  if (argc > 1)
    repeats = atoi(argv[1]);
  const int n = omp_get_max_threads();
  printf("%d threads\n", n);
  double sum = 0;
  int count = 0;
  MEASURE("barrier", barriers());
  MEASURE("region", regions());
  MEASURE("region with a sum", sum += sums(n));
  MEASURE("single", count += singles());
  MEASURE("dynamic loop, 1 per thread", loops(n));
  if (sum < 0 || count != ROUNDS * repeats)
    printf("wrong: %g %d\n", sum, count);
  return 0;
}
