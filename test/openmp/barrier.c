// Barriers: what a thread writes before one is read by another behind it, again and again, in teams that fill their blocks and
// in such that do not.
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: %run --threads 64 %t | FileCheck %s
// RUN: %run --threads 128 --blocks 4 %t | FileCheck %s
// RUN: %run --threads 32 --blocks 3 %t | FileCheck %s
// RUN: %run --threads 70 --blocks 5 %t | FileCheck %s
// CHECK: barriers: 0 wrong
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  const int most = omp_get_max_threads();
  int *values = calloc(most, sizeof *values), wrong = 0;
  // Few threads of the first block, all but some of the last block's, one more than the first block's.
  const int sizes[] = {most, 2, most - 1, most - 3, most / 2 + 1, 3};
  for (int size = 0; size < 6; ++size)
    for (int repeat = 0; repeat < 3; ++repeat) {
#pragma omp parallel num_threads(sizes[size] > 0 ? sizes[size] : 1) reduction(+ : wrong)
      {
        const int me = omp_get_thread_num(), count = omp_get_num_threads();
        for (int round = 1; round <= 20; ++round) {
          values[me] = round * 1000 + me;
#pragma omp barrier
          const int other = (me + round * 37) % count;
          wrong += values[other] != round * 1000 + other;
#pragma omp barrier
        }
      }
    }
  printf("barriers: %d wrong\n", wrong);
  return 0;
}
