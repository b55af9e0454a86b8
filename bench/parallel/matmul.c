//===-- bench/parallel/matmul.c - Product of dense matrices ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In tiles that fit into registers.
//   matmul [rows, a multiple of 4] [times]
//===----------------------------------------------------------------------===//
#include "common.h"

enum { TILE = 4 };

/// A tile of c = a * b, all of n x n, that begins at row and column.
static void multiply_tile(const double *restrict a, const double *restrict b,
                          double *restrict c, int n, int row, int column) {
  double sums[TILE][TILE] = {{0}};
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < TILE; ++i)
      for (int j = 0; j < TILE; ++j)
        sums[i][j] +=
            a[(size_t)(row + i) * n + k] * b[(size_t)k * n + column + j];
  for (int i = 0; i < TILE; ++i)
    for (int j = 0; j < TILE; ++j)
      c[(size_t)(row + i) * n + column + j] = sums[i][j];
}

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 2048) / TILE * TILE;
  const int times = (int)argument(argc, argv, 2, 5);
  const size_t bytes = sizeof(double) * (size_t)n * (size_t)n;
  double *a = allocate(bytes), *b = allocate(bytes), *c = allocate(bytes);
#pragma omp parallel for
  for (int i = 0; i < n * n; ++i) {
    a[i] = (double)(mix((uint64_t)i) & 15);
    b[i] = (double)(mix((uint64_t)i + 1) & 15);
  }
  const double begin = wall_time();
  for (int time = 0; time < times; ++time) {
#pragma omp parallel for collapse(2)
    for (int row = 0; row < n; row += TILE)
      for (int column = 0; column < n; column += TILE)
        multiply_tile(a, b, c, n, row, column);
  }
  report_time(wall_time() - begin);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n * n; ++i)
    sum += c[i] * (1 + i % 7);
  printf("matmul %d: %.0f\n", n, sum);
  return 0;
}
