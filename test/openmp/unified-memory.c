// What clang's OpenMP for devices takes for the host's runtime: variables of a program that requires unified shared memory, and updates of
// static variables.
// RUN: %gpucc -fopenmp -O0 -w %s -o %t && %run %t | FileCheck %s
// RUN: %gpucc -fopenmp -O2 -w -DMORE %s -o %t && %run %t | FileCheck %s
// RUN: %gpucc -fopenmp -O2 -w -DMOST %s -o %t && %run %t | FileCheck %s
// CHECK: 5 3 14 7
#include <stdio.h>
#if defined MOST
#pragma omp requires dynamic_allocators
#pragma omp requires unified_address, unified_shared_memory
#elif defined MORE
#pragma omp requires unified_address, unified_shared_memory
#else
#pragma omp requires unified_shared_memory
#endif
int global = -1;
static int hidden = 3;
#pragma omp declare target
static int tables[4] = {1, 2, 3, 4};
#pragma omp end declare target

int main(void) {
#pragma omp target map(from : global)
  {
    global = 5;
    hidden += 1;
  }
  tables[2] = 7;
#pragma omp target update to(tables) if (global)
  int sum = 0;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < 4; ++i)
    sum += tables[i];
  if (sum) {
#pragma omp target update from(tables[0 : 2])
  }
  printf("%d %d %d %d\n", global, hidden, sum, tables[2]);
  return 0;
}
