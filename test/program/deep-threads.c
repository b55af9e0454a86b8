// Each of 64 threads recurses 20 000 calls deep, some deeper than others, on small stacks. Their memory is freed: the heap has
// room for a few rounds only.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --stack-size 16K --heap-size 512M --threads 64 %t | FileCheck %s
// CHECK: 64 threads, 0 wrong
#include <gpuintrin.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static long down(int n, int step, volatile int *calls) {
  ++*calls;
  if (n <= 0)
    return step;
  long below = down(n - step, step, calls);
  return (below * 3 + n) % 1000003;
}
static long loop(int n, int step) {
  int last = n % step;
  long value = step;
  for (int i = last ? last : step; i <= n; i += step)
    value = (value * 3 + i) % 1000003;
  return value;
}

static atomic_int done, wrong;

int main(void) {
  int thread = (int)__gpu_thread_id_x(), step = thread % 4 + 1;
  malloc(1); // the heap
  for (int round = 0; round < 4; ++round) {
    volatile int calls = 0;
    int n = 20000 + thread;
    if (down(n, step, &calls) != loop(n, step) || calls < 20000 / step)
      ++wrong;
  }
  if (++done == (int)__gpu_num_threads_x())
    printf("%d threads, %d wrong\n", done, wrong);
  return 0;
}
