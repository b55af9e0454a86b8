// A thread keeps the memory for its shared variables from one region to the
// next: they are at the same place each time.
// RUN: %gpucc -O2 -fopenmp %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %gpucc -O0 -fopenmp %s -o %t
// RUN: %run --threads 64 --blocks 3 %t | FileCheck %s
// RUN: %gpucc -O2 -fopenmp -fno-lto -c %s -o %t.o
// RUN: %gpucc -fopenmp %t.o -o %t
// RUN: %run %t | FileCheck %s
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int *volatile shared;

int main(void) {
  const int threads = omp_get_max_threads();
  int **places = calloc((size_t)threads, sizeof *places);
  int moved = 0;
  for (int round = 0; round < 5; ++round)
#pragma omp parallel reduction(+ : moved)
  {
    const int me = omp_get_thread_num();
    int mine = me;
#pragma omp atomic write
    shared = &mine;
    if (places[me] && places[me] != &mine)
      ++moved;
    places[me] = &mine;
  }
  // CHECK: moved: 0
  printf("moved: %d\n", moved);
  free(places);
  return 0;
}
