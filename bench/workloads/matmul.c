// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/* Multiplies matrices of 32 x 32 floats; a unit is one product. */
#include "workload.h"
#include <string.h>

enum { N = 32 };

static float a[N][N], b[N][N];

static uint32_t work(uint32_t seed, unsigned units) {
  for (int i = 0; i < N; i++) /* every thread writes the same values */
    for (int j = 0; j < N; j++) {
      a[i][j] = (float)(i * 7 + j * 3 & 15) - 7;
      b[i][j] = (float)(i * 5 + j & 15) / 8;
    }
  uint32_t sum = 0;
  for (unsigned unit = 0; unit < units; unit++) {
    float factor = (float)((seed + unit) & 7) + 1;
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) {
        float c = 0;
        for (int k = 0; k < N; k++)
          c += a[i][k] * factor * b[k][j];
        uint32_t bits;
        memcpy(&bits, &c, 4);
        sum = sum * 3 + (bits ^ bits >> 15);
      }
  }
  return sum;
}
