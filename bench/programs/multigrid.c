// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Poisson's equation on a square by V-cycles: red-black Gauss-Seidel, full weighting, bilinear interpolation. A unit is a
   cycle on 65 x 65 points. */
#include "../workloads/workload.h"
#include <string.h>

enum { LEVELS = 5, FINEST = 65 };

struct level {
  int n;
  double *u, *f, *r;
};

static void smooth(struct level *l, int rounds) {
  int n = l->n;
  double h2 = 1.0 / ((n - 1) * (n - 1));
  for (int round = 0; round < rounds * 2; round++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1 + (i + round) % 2; j < n - 1; j += 2) {
        double *u = l->u + i * n + j;
        *u = 0.25 * (u[-1] + u[1] + u[-n] + u[n] + h2 * l->f[i * n + j]);
      }
}

static void residual(struct level *l) {
  int n = l->n;
  double inverse = (double)(n - 1) * (n - 1);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      const double *u = l->u + i * n + j;
      l->r[i * n + j] = l->f[i * n + j] - inverse * (4 * u[0] - u[-1] - u[1] - u[-n] - u[n]);
    }
}

static void restrict_to(const struct level *fine, struct level *coarse) {
  int n = coarse->n, m = fine->n;
  memset(coarse->u, 0, sizeof(double) * n * n);
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      const double *r = fine->r + 2 * i * m + 2 * j;
      coarse->f[i * n + j] = 0.25 * r[0] + 0.125 * (r[-1] + r[1] + r[-m] + r[m]) +
                             0.0625 * (r[-m - 1] + r[-m + 1] + r[m - 1] + r[m + 1]);
    }
}

static void correct(struct level *fine, const struct level *coarse) {
  int n = fine->n, m = coarse->n;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++) {
      const double *u = coarse->u + i / 2 * m + j / 2;
      int down = i & 1 ? m : 0, right = j & 1;
      fine->u[i * n + j] += 0.25 * (u[0] + u[right] + u[down] + u[down + right]);
    }
}

static void cycle(struct level *levels, int depth) {
  if (depth == LEVELS - 1) {
    smooth(&levels[depth], 20);
    return;
  }
  smooth(&levels[depth], 2);
  residual(&levels[depth]);
  restrict_to(&levels[depth], &levels[depth + 1]);
  cycle(levels, depth + 1);
  correct(&levels[depth], &levels[depth + 1]);
  smooth(&levels[depth], 2);
}

static uint32_t work(uint32_t seed, unsigned units) {
  struct level levels[LEVELS];
  for (int k = 0; k < LEVELS; k++) {
    int n = levels[k].n = ((FINEST - 1) >> k) + 1;
    levels[k].u = calloc(3 * n * n, sizeof(double));
    levels[k].f = levels[k].u + n * n;
    levels[k].r = levels[k].f + n * n;
  }
  for (int i = 0; i < FINEST * FINEST; i++)
    levels[0].f[i] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
  for (unsigned unit = 0; unit < units; unit++)
    cycle(levels, 0);
  uint32_t sum = 0;
  for (int i = 0; i < FINEST * FINEST; i++) {
    uint64_t bits;
    memcpy(&bits, &levels[0].u[i], 8);
    sum = sum * 31 + (uint32_t)(bits >> 20);
  }
  for (int k = 0; k < LEVELS; k++)
    free(levels[k].u);
  return sum;
}
