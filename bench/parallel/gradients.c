//===-- bench/parallel/gradients.c - Conjugate gradients, sparse matrix ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix of a stencil of seven points in a cube, in compressed rows.
//   gradients [points of an edge] [iterations]
//===----------------------------------------------------------------------===//
#include "common.h"
#include <math.h>

static int rows;
static int *starts, *columns;
static double *values;

/// The neighbours of a point: those that are inside the cube.
static int neighbours(int n, int row, int *list) {
  const int x = row % n, y = row / n % n, z = row / n / n;
  int count = 0;
  if (z > 0)
    list[count++] = row - n * n;
  if (y > 0)
    list[count++] = row - n;
  if (x > 0)
    list[count++] = row - 1;
  list[count++] = row;
  if (x < n - 1)
    list[count++] = row + 1;
  if (y < n - 1)
    list[count++] = row + n;
  if (z < n - 1)
    list[count++] = row + n * n;
  return count;
}

static void make_matrix(int n) {
  rows = n * n * n;
  starts = allocate(sizeof *starts * ((size_t)rows + 1));
  int list[7];
  starts[0] = 0;
#pragma omp parallel for private(list)
  for (int row = 0; row < rows; ++row)
    starts[row + 1] = neighbours(n, row, list);
  for (int row = 0; row < rows; ++row)
    starts[row + 1] += starts[row];
  columns = allocate(sizeof *columns * (size_t)starts[rows]);
  values = allocate(sizeof *values * (size_t)starts[rows]);
#pragma omp parallel for private(list)
  for (int row = 0; row < rows; ++row) {
    const int count = neighbours(n, row, list);
    for (int i = 0; i < count; ++i) {
      columns[starts[row] + i] = list[i];
      values[starts[row] + i] = list[i] == row ? 6.0 : -1.0;
    }
  }
}

/// y = A x; returns x * y.
static double multiply(const double *restrict x, double *restrict y) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int row = 0; row < rows; ++row) {
    double product = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
      product += values[i] * x[columns[i]];
    y[row] = product;
    sum += product * x[row];
  }
  return sum;
}

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 128);
  const int iterations = (int)argument(argc, argv, 2, 100);
  make_matrix(n);
  const size_t bytes = sizeof(double) * (size_t)rows;
  double *x = allocate(bytes), *r = allocate(bytes), *p = allocate(bytes),
         *q = allocate(bytes);
  double square = 0;
#pragma omp parallel for reduction(+ : square)
  for (int i = 0; i < rows; ++i) {
    x[i] = 0;
    r[i] = p[i] = 1 + (double)(i % 10) / 10;
    square += r[i] * r[i];
  }
  const double at_first = square, begin = wall_time();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    const double step = square / multiply(p, q);
    double fresh = 0;
#pragma omp parallel for reduction(+ : fresh)
    for (int i = 0; i < rows; ++i) {
      x[i] += step * p[i];
      r[i] -= step * q[i];
      fresh += r[i] * r[i];
    }
    const double turn = fresh / square;
    square = fresh;
#pragma omp parallel for
    for (int i = 0; i < rows; ++i)
      p[i] = r[i] + turn * p[i];
  }
  report_time(wall_time() - begin);
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < rows; ++i)
    sum += x[i];
  printf("gradients %d %d: sum %.5e, residual %.1e\n", n, iterations, sum,
         sqrt(square / at_first));
  return 0;
}
