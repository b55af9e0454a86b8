// How often each iteration of a loop was executed: SIZE counters, of which report() prints a digest and begins anew.
#ifndef GPUEXEC_TEST_COUNTS_H
#define GPUEXEC_TEST_COUNTS_H

#include <stdio.h>
#include <string.h>

static int counts[SIZE];

static void report(const char *name) {
  unsigned hash = 0;
  int total = 0;
  for (int i = 0; i < SIZE; ++i) {
    hash = hash * 31 + counts[i];
    total += counts[i];
  }
  printf("%s: %d %u\n", name, total, hash);
  memset(counts, 0, sizeof counts);
}
#define COUNT(index)                                                                                                           \
  do {                                                                                                                         \
    _Pragma("omp atomic") counts[index]++;                                                                                     \
  } while (0)

#endif
