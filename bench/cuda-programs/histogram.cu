// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How often each of 256 values occurs: counts of a block by atomics in shared memory, then those of the grid.
#include "measured.h"

enum { SIZE = 1 << 21, BINS = 256 };

#ifdef __CUDACC__
__global__ void count(const uint8_t *values, unsigned *bins) {
  __shared__ unsigned own[BINS];
  own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * BINS + threadIdx.x; i < SIZE; i += gridDim.x * BINS)
    atomicAdd(&own[values[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
#endif

double compute(int work) {
  uint8_t *values = array_of<uint8_t>(SIZE);
  unsigned *bins = array_of<unsigned>(BINS);
  for (int i = 0; i < SIZE; ++i)
    values[i] = uint8_t(number(i) * number(i + SIZE) * 256);
  for (int i = 0; i < BINS; ++i)
    bins[i] = 0;
  for (int round = 0; round < work; ++round) {
#ifdef __CUDACC__
    count<<<64, BINS>>>(values, bins);
#else
#pragma omp parallel
    {
      unsigned own[BINS] = {};
#pragma omp for
      for (int i = 0; i < SIZE; ++i)
        ++own[values[i]];
#pragma omp critical
      for (int i = 0; i < BINS; ++i)
        bins[i] += own[i];
    }
#endif
  }
  finish();
  double sum = 0;
  for (int i = 0; i < BINS; ++i)
    sum += double(bins[i]) * i;
  return sum;
}
