// Large local arrays that a region shares, more than one of a function; and a local buffer of a C library's function that LLVM reaches by
// private and by generic addresses.
// RUN: %gpucc -fopenmp -O0 %s -o %t && %run %t | FileCheck %s
// RUN: %gpucc -fopenmp -O2 %s -o %t && %run %t | FileCheck %s
// CHECK: 0 wrong
// CHECK-NEXT: level 0 thread 0 of 1
#include <omp.h>
#include <stdio.h>

enum { N = 1 << 16 };

static int fill(void) {
  int a[N], b[N], c[N], wrong = 0;
#pragma omp parallel for
  for (int i = 0; i < N; ++i) {
    a[i] = i;
    b[i] = 2 * i;
    c[i] = a[i] + b[i];
  }
  for (int i = 0; i < N; ++i)
    wrong += c[i] != 3 * i;
  return wrong;
}

int main(void) {
  printf("%d wrong\n", fill());
  char format[80], text[100];
  omp_get_affinity_format(format, sizeof format);
  omp_capture_affinity(text, sizeof text, format);
  omp_display_affinity(format);
  return 0;
}
