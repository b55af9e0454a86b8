// Loops of the schedules dynamic, guided, runtime and auto; ordered regions; iterations that wait for others (doacross).
// RUN: %hostcc %s -o %t.host
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %t.host > %t.expected
// RUN: %run --threads 128 --blocks 2 %t.0 | diff %t.expected -
// RUN: %run --threads 1 %t.2 | diff %t.expected -
// RUN: %run --threads 128 --blocks 4 %t.2 | diff %t.expected -
// RUN: env OMP_SCHEDULE=guided,3 %run --env OMP_SCHEDULE --threads 32 --blocks 3 %t.2 | diff %t.expected -
// RUN: env OMP_SCHEDULE=static,4 %run --env OMP_SCHEDULE --threads 100 --blocks 2 %t.2 | diff %t.expected -
#include <limits.h>

enum { SIZE = 2000 };
#include "Inputs/counts.h"

static void schedules(void) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 1999; i >= 0; i -= 2)
    COUNT(i);
  report("dynamic");
#pragma omp parallel for schedule(dynamic, 7)
  for (unsigned i = 5; i < 2000; i += 3)
    COUNT(i);
  report("dynamic, 7");
#pragma omp parallel for schedule(guided)
  for (long i = LONG_MIN; i < LONG_MIN + 1500; ++i)
    COUNT((int)(i - LONG_MIN));
  report("guided");
#pragma omp parallel for schedule(guided, 10)
  for (unsigned long i = ULONG_MAX - 1000; i < ULONG_MAX; ++i)
    COUNT((int)(i - (ULONG_MAX - 1000)));
  report("guided, 10");
#pragma omp parallel for schedule(auto) collapse(2)
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 50; ++j)
      COUNT(i * 50 + j);
  report("auto");
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 1234; ++i)
    COUNT(i);
  report("runtime");
#pragma omp parallel for schedule(monotonic : dynamic, 3)
  for (int i = 0; i < 300; ++i)
    COUNT(i);
#pragma omp parallel for schedule(nonmonotonic : dynamic)
  for (int i = 3; i < 3; ++i)
    COUNT(i);
  report("modifiers");
  // More loops without a barrier than the team has places for.
  int last = 0;
#pragma omp parallel
  {
    for (int round = 0; round < 25; ++round)
#pragma omp for schedule(dynamic, 2) nowait
      for (int i = 0; i < 50; ++i)
        COUNT(round * 50 + i);
#pragma omp for schedule(dynamic) lastprivate(last)
    for (int i = 0; i < 77; ++i)
      last = i;
  }
  report("many");
  printf("last: %d\n", last);
}

static int text_size;
static char text[4 * SIZE];

static void ordered(int n) {
#pragma omp parallel for ordered schedule(dynamic)
  for (int i = 0; i < n; ++i) {
    COUNT(i);
#pragma omp ordered
    text_size += sprintf(text + text_size, "%d ", i);
  }
#pragma omp parallel for ordered schedule(static, 3)
  for (int i = 0; i < n; ++i)
    if (i % 3) {
#pragma omp ordered
      text_size += sprintf(text + text_size, "%d,", i);
    }
#pragma omp parallel
  {
#pragma omp for ordered
    for (int i = 50; i > 40; --i) {
#pragma omp ordered
      text_size += sprintf(text + text_size, "%d;", i);
    }
#pragma omp for ordered schedule(guided)
    for (long i = 0; i < n; ++i) {
#pragma omp ordered
      text_size += sprintf(text + text_size, "%ld.", i);
    }
  }
  report("ordered");
  puts(text);
}

static long table[30][40];

static void doacross(void) {
  long line[100] = {1};
#pragma omp parallel for ordered(1) shared(line)
  for (int i = 1; i < 100; ++i) {
    const long own = i * 3;
#pragma omp ordered depend(sink : i - 1)
    line[i] = line[i - 1] * 3 % 1000 + own;
#pragma omp ordered depend(source)
  }
  for (int i = 0; i < 30; ++i)
    for (int j = 0; j < 40; ++j)
      table[i][j] = i * j % 7;
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int i = 1; i < 30; ++i)
    for (int j = 1; j < 40; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
      table[i][j] = (table[i - 1][j] * 3 + table[i][j - 1] * 5 + i) % 1009;
#pragma omp ordered depend(source)
    }
  printf("doacross: %ld %ld\n", line[99], table[29][39]);
}

int main(void) {
  schedules();
  ordered(120);
  doacross();
  return 0;
}
