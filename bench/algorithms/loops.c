//===-- bench/algorithms/loops.c - The same loops by OpenMP ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

long loop_reduce(const int *from, long n) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (long i = 0; i < n; ++i)
    sum += from[i];
  return sum;
}

void loop_transform(const int *from, int *to, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    to[i] = from[i] * 3 + 1;
}
