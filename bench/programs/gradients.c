// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Sparse systems by conjugate gradients: a matrix in compressed rows, about 7 elements in each of 1024. A unit is 20
   steps. */
#include "../workloads/workload.h"
#include <string.h>

enum { N = 1024, LINKS = 3 };

struct matrix {
  int start[N + 1];
  int column[N * (2 * LINKS + 1)];
  double value[N * (2 * LINKS + 1)];
};

static void multiply(const struct matrix *a, const double *x, double *y) {
  for (int i = 0; i < N; i++) {
    double sum = 0;
    for (int k = a->start[i]; k < a->start[i + 1]; k++)
      sum += a->value[k] * x[a->column[k]];
    y[i] = sum;
  }
}

static double dot(const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += x[i] * y[i];
  return sum;
}

/* Symmetric, and its diagonal outweighs the rest: every node is linked with those at three distances. */
static void build(struct matrix *a, uint32_t seed) {
  int distance[LINKS], used = 0;
  for (int k = 0; k < LINKS; k++)
    distance[k] = 1 + (int)((seed = seed * 1664525u + 1013904223u) >> 8) % (N / 4);
  for (int i = 0; i < N; i++) {
    a->start[i] = used;
    for (int k = 0; k < LINKS; k++) {
      a->column[used] = (i + distance[k]) % N;
      a->value[used++] = -1.0 / (k + 1);
      a->column[used] = (i + N - distance[k]) % N;
      a->value[used++] = -1.0 / (k + 1);
    }
    a->column[used] = i;
    a->value[used++] = 3.75;
  }
  a->start[N] = used;
}

static uint32_t work(uint32_t seed, unsigned units) {
  struct matrix *a = malloc(sizeof *a);
  double *x = calloc(4 * N, sizeof(double)), *r = x + N, *p = r + N, *q = p + N;
  uint32_t sum = 0;
  for (unsigned unit = 0; unit < units; unit++) {
    build(a, seed + unit);
    for (int i = 0; i < N; i++) {
      x[i] = 0;
      r[i] = p[i] = (i * 7919 + (int)unit) % 101 - 50;
    }
    double square = dot(r, r);
    for (int step = 0; step < 20; step++) {
      multiply(a, p, q);
      double alpha = square / dot(p, q), before = square;
      for (int i = 0; i < N; i++) {
        x[i] += alpha * p[i];
        r[i] -= alpha * q[i];
      }
      square = dot(r, r);
      for (int i = 0; i < N; i++)
        p[i] = r[i] + square / before * p[i];
    }
    for (int i = 0; i < N; i++) {
      uint64_t bits;
      memcpy(&bits, &x[i], 8);
      sum = sum * 31 + (uint32_t)(bits >> 24);
    }
  }
  free(x);
  free(a);
  return sum;
}
