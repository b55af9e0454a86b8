// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Five bodies under gravity in double precision; a unit is 20 steps. */
#include "workload.h"
#include <math.h>
#include <string.h>

enum { N = 5 };

static uint32_t work(uint32_t seed, unsigned units) {
  double p[N][3], v[N][3], m[N];
  for (int i = 0; i < N; i++) {
    m[i] = 1.0 / (i + 1);
    for (int k = 0; k < 3; k++) {
      p[i][k] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24) * 10;
      v[i][k] = (double)((seed = seed * 1664525u + 1013904223u) >> 8) / (1 << 24) - 0.5;
    }
  }
  for (unsigned step = 0; step < units * 20; step++) {
    for (int i = 0; i < N; i++)
      for (int j = i + 1; j < N; j++) {
        double d[3], square = 0.01;
        for (int k = 0; k < 3; k++) {
          d[k] = p[i][k] - p[j][k];
          square += d[k] * d[k];
        }
        double pull = 0.01 / (square * sqrt(square));
        for (int k = 0; k < 3; k++) {
          v[i][k] -= d[k] * m[j] * pull;
          v[j][k] += d[k] * m[i] * pull;
        }
      }
    for (int i = 0; i < N; i++)
      for (int k = 0; k < 3; k++)
        p[i][k] += 0.01 * v[i][k];
  }
  uint32_t sum = 0;
  for (int i = 0; i < N; i++)
    for (int k = 0; k < 3; k++) {
      uint64_t bits;
      memcpy(&bits, &p[i][k], 8);
      sum = sum * 31 + (uint32_t)(bits >> 32) + (uint32_t)bits;
    }
  return sum;
}
