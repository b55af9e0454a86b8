// A program that asks the runtime something and has no parallel region: its end finds the C library's data as it was.
// RUN: %gpucc -fopenmp -O2 %s -o %t
// RUN: %run --timeout 20 %t | FileCheck %s
// RUN: %run --timeout 20 --threads 256 --blocks 9 %t | FileCheck %s
// CHECK: main
// CHECK-NEXT: end
#include <omp.h>
#include <stdio.h>

__attribute__((destructor)) static void last(void) { puts("end"); }

int main(void) {
  double start = omp_get_wtime();
  puts(omp_get_wtime() >= start ? "main" : "no clock");
  return 0;
}
