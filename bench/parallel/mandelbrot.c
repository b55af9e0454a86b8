//===-- bench/parallel/mandelbrot.c - The Mandelbrot set ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//   mandelbrot [pixels of a side] [iterations at most]
//===----------------------------------------------------------------------===//
#include "common.h"

static int escape(double x, double y, int most) {
  double a = 0, b = 0;
  int i = 0;
  for (; i < most && a * a + b * b <= 4; ++i) {
    const double next = a * a - b * b + x;
    b = 2 * a * b + y;
    a = next;
  }
  return i;
}

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 2048);
  const int most = (int)argument(argc, argv, 2, 2000);
  int *image = allocate(sizeof *image * (size_t)n * (size_t)n);
  const double begin = wall_time();
#pragma omp parallel for schedule(static, 1)
  for (int i = 0; i < n * n; ++i)
    image[i] =
        escape(-2.0 + 2.5 * (i % n) / n, -1.25 + 2.5 * (i / n) / n, most);
  report_time(wall_time() - begin);
  long sum = 0, inside = 0;
#pragma omp parallel for reduction(+ : sum, inside)
  for (int i = 0; i < n * n; ++i) {
    sum += image[i];
    inside += image[i] == most;
  }
  printf("mandelbrot %d %d: %ld iterations, %ld inside\n", n, most, sum,
         inside);
  return 0;
}
