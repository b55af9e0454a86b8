// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Heat in a plate: each point becomes the mean of its four neighbours.
#include "measured.h"

enum { SIZE = 1024 };

__host__ __device__ inline float mean(const float *from, int x, int y) {
  const float *at = from + y * SIZE + x;
  return 0.25f * (at[-1] + at[1] + at[-SIZE] + at[SIZE]);
}

#ifdef __CUDACC__
__global__ void step(const float *from, float *to) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < SIZE - 1 && y < SIZE - 1)
    to[y * SIZE + x] = mean(from, x, y);
}
#endif

double compute(int work) {
  float *from = array_of<float>(SIZE * SIZE), *to = array_of<float>(SIZE * SIZE);
  for (int i = 0; i < SIZE * SIZE; ++i)
    from[i] = to[i] = number(i);
  for (int round = 0; round < work; ++round) {
#ifdef __CUDACC__
    step<<<dim3(SIZE / 32, SIZE / 8), dim3(32, 8)>>>(from, to);
#else
#pragma omp parallel for
    for (int y = 1; y < SIZE - 1; ++y)
      for (int x = 1; x < SIZE - 1; ++x)
        to[y * SIZE + x] = mean(from, x, y);
#endif
    float *other = from;
    from = to;
    to = other;
  }
  finish();
  return sum_of(from, SIZE * SIZE);
}
