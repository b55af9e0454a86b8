//===-- bench/parallel/jacobi.c - A stencil of five points ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   jacobi [points of a side] [iterations]
//===----------------------------------------------------------------------===//
#include "common.h"
#include <math.h>

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 4096);
  const int iterations = (int)argument(argc, argv, 2, 200);
  const size_t bytes = sizeof(double) * (size_t)n * (size_t)n;
  double *now = allocate(bytes), *next = allocate(bytes);
#pragma omp parallel for
  for (int i = 0; i < n * n; ++i)
    now[i] = next[i] = i < n ? 1 : 0; // the upper side is warm
  double change = 0;
  const double begin = wall_time();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    // The largest change is asked for from time to time.
    if (iteration % 50 == 49) {
      change = 0;
#pragma omp parallel for collapse(2) reduction(max : change)
      for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x) {
          const size_t i = (size_t)y * n + x;
          next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n]);
          change = fmax(change, fabs(next[i] - now[i]));
        }
    } else {
#pragma omp parallel for collapse(2)
      for (int y = 1; y < n - 1; ++y)
        for (int x = 1; x < n - 1; ++x) {
          const size_t i = (size_t)y * n + x;
          next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n]);
        }
    }
    double *old = now;
    now = next;
    next = old;
  }
  report_time(wall_time() - begin);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n * n; ++i)
    sum += now[i];
  printf("jacobi %d %d: sum %.6f, last change %.6e\n", n, iterations, sum,
         change);
  return 0;
}
