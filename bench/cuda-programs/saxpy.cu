// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// y = a x + y, many times.
#include "measured.h"

enum { SIZE = 1 << 20 };

#ifdef __CUDACC__
__global__ void saxpy(int n, float a, const float *x, float *y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}
#endif

double compute(int work) {
  float *x = array_of<float>(SIZE), *y = array_of<float>(SIZE);
  for (int i = 0; i < SIZE; ++i)
    x[i] = number(i), y[i] = 0;
  for (int round = 0; round < work; ++round) {
    const float a = 1.0f / float(round + 1);
#ifdef __CUDACC__
    saxpy<<<(SIZE + 255) / 256, 256>>>(SIZE, a, x, y);
#else
#pragma omp parallel for
    for (int i = 0; i < SIZE; ++i)
      y[i] = a * x[i] + y[i];
#endif
  }
  finish();
  return sum_of(y, SIZE);
}
