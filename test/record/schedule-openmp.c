// REQUIRES: emulator
// A sum that needs a reduction and has none.
// RUN: %gpucc -O1 -fopenmp %s -o %t
// RUN: %python %inputs/reproduce.py "%run" --blocks 8 %t | FileCheck %s
// CHECK: 8 seeds: {{[2-8]}} different ends
// CHECK-NEXT: replayed 3 of 3
#include <stdio.h>

int main(void) {
  static volatile long sum;
#pragma omp parallel for
  for (int i = 0; i < 1000; ++i)
    sum += i;
  printf("sum %ld\n", sum);
  return 0;
}
