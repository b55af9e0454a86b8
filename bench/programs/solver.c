// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Dense systems of linear equations: LU decomposition with partial pivoting, and two solutions. A unit is a system of
   order 96. */
#include "../workloads/workload.h"
#include <math.h>
#include <string.h>

enum { N = 96 };

static void decompose(double (*a)[N], int *order) {
  for (int k = 0; k < N; k++) {
    int pivot = k;
    for (int i = k + 1; i < N; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k]))
        pivot = i;
    order[k] = pivot;
    if (pivot != k)
      for (int j = 0; j < N; j++) {
        double t = a[k][j];
        a[k][j] = a[pivot][j];
        a[pivot][j] = t;
      }
    for (int i = k + 1; i < N; i++) {
      double factor = a[i][k] /= a[k][k];
      for (int j = k + 1; j < N; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
}

static void solve(double (*a)[N], const int *order, double *x) {
  for (int k = 0; k < N; k++) {
    double t = x[order[k]];
    x[order[k]] = x[k];
    x[k] = t;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      x[i] -= a[i][j] * x[j];
  for (int i = N - 1; i >= 0; i--) {
    for (int j = i + 1; j < N; j++)
      x[i] -= a[i][j] * x[j];
    x[i] /= a[i][i];
  }
}

static uint32_t work(uint32_t seed, unsigned units) {
  double(*a)[N] = malloc(sizeof(double[N][N]));
  double x[N];
  int order[N];
  uint32_t sum = 0;
  for (unsigned unit = 0; unit < units; unit++) {
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++)
        a[i][j] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
    decompose(a, order);
    for (int side = 0; side < 2; side++) {
      for (int i = 0; i < N; i++)
        x[i] = side ? i % 3 - 1 : 1;
      solve(a, order, x);
      for (int i = 0; i < N; i++) {
        uint64_t bits;
        memcpy(&bits, &x[i], 8);
        sum = sum * 31 + (uint32_t)(bits >> 20);
      }
    }
  }
  free(a);
  return sum;
}
