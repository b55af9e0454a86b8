// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum: trees in shared memory, then one atomic addition a block.
#include "measured.h"

enum { SIZE = 1 << 21, THREADS = 256 };

#ifdef __CUDACC__
__global__ void add_up(const float *values, float *sum) {
  __shared__ float part[THREADS];
  float own = 0;
  for (int i = blockIdx.x * THREADS + threadIdx.x; i < SIZE; i += gridDim.x * THREADS)
    own += values[i];
  part[threadIdx.x] = own;
  __syncthreads();
  for (int half = THREADS / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    atomicAdd(sum, part[0]);
}
#endif

double compute(int work) {
  float *values = array_of<float>(SIZE), *sum = array_of<float>(1);
  for (int i = 0; i < SIZE; ++i)
    values[i] = number(i);
  double all = 0;
  for (int round = 0; round < work; ++round) {
    *sum = 0;
#ifdef __CUDACC__
    add_up<<<64, THREADS>>>(values, sum);
    finish();
    all += *sum;
#else
    float total = 0;
#pragma omp parallel for simd reduction(+ : total)
    for (int i = 0; i < SIZE; ++i)
      total += values[i];
    all += total;
#endif
  }
  return all;
}
