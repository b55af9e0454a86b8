// Waves that allocate objects of several classes while the heap grows. The heap collects its empty slabs each time it has
// grown by a quarter. A wave that has collected them gets memory, although others have grown the heap to the next limit meanwhile:
// that happens in one of five runs.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: for run in 1 2 3 4 5 6; do %run --threads 64 --blocks 8 %t; done | uniq -c | FileCheck %s
// CHECK: 6 2560 objects, 0 without memory
#include <gpuintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { EACH = 5 };
static uint32_t without, ended;

int main(void) {
  void *objects[EACH];
  for (uint32_t i = 0, n = 65; i < EACH; i++, n = n / 2 + 1) {
    objects[i] = calloc(3 * n * n, sizeof(double));
    if (!objects[i])
      __atomic_fetch_add(&without, 1, __ATOMIC_RELAXED);
  }
  for (uint32_t i = 0; i < EACH; i++)
    free(objects[i]);
  const uint32_t threads = __gpu_num_threads_x() * __gpu_num_blocks_x();
  if (__atomic_add_fetch(&ended, 1, __ATOMIC_ACQ_REL) == threads)
    printf("%u objects, %u without memory\n", threads * EACH, __atomic_load_n(&without, __ATOMIC_RELAXED));
  return 0;
}
