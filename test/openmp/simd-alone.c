// A program of which -fopenmp makes no use of the runtime: it links, and its local variables are its own.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run %t.0 | FileCheck %s
// RUN: %run %t.2 | FileCheck %s
#include <stdio.h>

static __attribute__((noinline)) void keep(void *volatile *to, void *variable) { *to = variable; }

int main(void) {
  int sum = 5;
  void *volatile kept;
  keep(&kept, &sum);
#pragma omp simd reduction(+ : sum)
  for (int i = 0; i < 50; ++i)
    sum += i;
  // CHECK: 1230 1
  printf("%d %d\n", sum, kept == &sum);
  return 0;
}
