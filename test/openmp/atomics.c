// atomic: update, read, write, capture and compare, of integers and floats of all sizes and of complex numbers.
// RUN: %gpucc -fopenmp -O0 %s -o %t.0
// RUN: %gpucc -fopenmp -O2 %s -o %t.2
// RUN: %run --threads 64 --blocks 2 %t.0 | FileCheck %s
// RUN: %run --threads 128 --blocks 4 %t.2 | FileCheck %s
// RUN: %run --threads 1 %t.2 | FileCheck %s
#include <complex.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  signed char c = 0;
  short s = 0;
  int i = 0, or = 0, xor = 0, least = 1 << 30;
  long l = 0;
  unsigned long long and = ~0ull, product = 1;
  float f = 0;
  double d = 0, most = -1;
  long double ld = 0;
  double complex z = 0;
  const int most_threads = omp_get_max_threads();
  unsigned char *tickets = calloc(most_threads, 1);
  int next = 0, swaps = 0, flag = -1, wrong = 0;
#pragma omp parallel reduction(+ : wrong)
  {
    const int me = omp_get_thread_num();
#pragma omp atomic
    c += 1;
#pragma omp atomic
    s += 2;
#pragma omp atomic
    i++;
#pragma omp atomic update
    l = l + (1l << 33);
#pragma omp atomic
    or |= 1 << me % 31;
#pragma omp atomic
    xor ^= me;
#pragma omp atomic
    and &= ~(1ull << me % 63);
#pragma omp atomic
    product *= 3;
#pragma omp atomic
    f += 0.5f;
#pragma omp atomic
    d = 2.0 + d;
#pragma omp atomic
    ld += 1;
#pragma omp atomic
    z += 1 + 2 * I;
    int ticket;
#pragma omp atomic capture seq_cst
    {
      ticket = next;
      next++;
    }
    ++tickets[ticket];
#pragma omp atomic compare
    if (me - 5 < least) {
      least = me - 5;
    }
#pragma omp atomic compare
    if (flag == -1) {
      flag = me;
    }
    int seen;
#pragma omp atomic read
    seen = flag;
    wrong += seen < 0 || seen >= most_threads;
#pragma omp atomic write
    most = 7;
  }
  for (int t = 0; t < most_threads; ++t)
    wrong += tickets[t] != 1;
  const int n = most_threads;
  int all_or = 0, all_xor = 0;
  unsigned long long all_and = ~0ull, all_product = 1;
  for (int t = 0; t < n; ++t) {
    all_or |= 1 << t % 31;
    all_xor ^= t;
    all_and &= ~(1ull << t % 63);
    all_product *= 3;
  }
  printf("integers: %d %d %d %d\n", c == (signed char)n, s == (short)(2 * n), i == n, l == (long)n << 33);
  printf("bits: %d %d %d %d\n", or == all_or, xor == all_xor, and == all_and, product == all_product);
  printf("floats: %d %d %d %d\n", f == n * 0.5f, d == 2.0 * n, ld == n, z == n * (1 + 2 * I));
  printf("compare: %d %g, %d wrong\n", least, most, wrong);
  // CHECK: integers: 1 1 1 1
  // CHECK: bits: 1 1 1 1
  // CHECK: floats: 1 1 1 1
  // CHECK: compare: -5 7, 0 wrong
  return 0;
}
