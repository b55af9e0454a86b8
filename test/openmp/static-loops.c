// Loops of a static schedule: each iteration is executed once, whatever the type of its variable, its steps, its chunks and the
// number of threads; lastprivate variables, loops of loops, loops without iterations, sections.
// RUN: %hostcc %s -o %t.host
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %t.host > %t.expected
// RUN: %run --threads 128 --blocks 2 %t.0 | diff %t.expected -
// RUN: %run --threads 1 %t.2 | diff %t.expected -
// RUN: %run --threads 128 --blocks 4 %t.2 | diff %t.expected -
// RUN: %run --threads 32 --blocks 3 %t.2 | diff %t.expected -
#include <limits.h>

enum { SIZE = 1000 };
#include "Inputs/counts.h"

static void types(void) {
#pragma omp parallel for
  for (int i = 7; i < 990; i += 3)
    COUNT(i);
  report("int");
#pragma omp parallel for schedule(static)
  for (int i = 900; i > -1; i -= 7)
    COUNT(i);
  report("down");
#pragma omp parallel for schedule(static, 5)
  for (unsigned i = 0; i != 999; ++i)
    COUNT(i);
  report("unsigned");
#pragma omp parallel for schedule(static, 3)
  for (long i = LONG_MAX - 500; i < LONG_MAX - 20; i += 4)
    COUNT((int)(i - (LONG_MAX - 500)));
  report("long");
#pragma omp parallel for schedule(static)
  for (unsigned long i = ULONG_MAX - 100; i < ULONG_MAX - 50; ++i)
    COUNT((int)(i - (ULONG_MAX - 100)));
  report("unsigned long");
#pragma omp parallel for schedule(static)
  for (int *p = counts; p < counts + SIZE; p += 2)
    ++*p;
  report("pointer");
#pragma omp parallel for
  for (signed char i = -100; i < 100; ++i)
    COUNT(i + 100);
  report("char");
}

static void shapes(int n) {
#pragma omp parallel for collapse(3)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 10; ++j)
      for (int k = 9; k >= 0; --k)
        COUNT(i * 100 + j * 10 + k);
  report("collapse");
#pragma omp parallel for collapse(2) schedule(static, 7)
  for (int i = 0; i < 30; ++i)
    for (int j = i; j < 30; ++j)
      COUNT(i * 30 + j);
  report("triangle");
#pragma omp parallel for
  for (int i = n; i < n - 5; ++i)
    COUNT(0);
  report("none");
#pragma omp parallel for schedule(static, 1000)
  for (int i = 0; i < 3; ++i)
    COUNT(i);
  report("few");
  int last = -1, square[2] = {0};
  long large = 0;
#pragma omp parallel for lastprivate(last, square, large) schedule(static, 2)
  for (int i = 0; i < 77; ++i) {
    last = i;
    square[1] = i * i;
    large = 1l << 40 | i;
  }
  printf("last: %d %d %ld\n", last, square[1], large);
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < 100; ++i)
      COUNT(i);
#pragma omp for nowait schedule(static, 1)
    for (int i = 0; i < 100; ++i)
      COUNT(i + 200);
#pragma omp for lastprivate(last)
    for (int i = 0; i < 100; ++i) {
      last = 3 * i;
      COUNT(i + 100);
    }
#pragma omp for simd
    for (int i = 0; i < 100; ++i)
      COUNT(last + i);
  }
  report("in one region");
#pragma omp parallel sections
  {
#pragma omp section
    COUNT(1);
#pragma omp section
    COUNT(2);
#pragma omp section
    COUNT(3);
#pragma omp section
    for (int i = 0; i < 50; ++i)
      COUNT(i + 4);
  }
  report("sections");
}

int main(void) {
  types();
  shapes(10);
  return 0;
}
