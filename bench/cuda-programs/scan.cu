// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums of all prefixes: a scan in each warp by shuffles, one over the warps in shared memory, then the sums of the blocks before.
#include "measured.h"

enum { SIZE = 1 << 20, THREADS = 512, BLOCKS = SIZE / THREADS };

#ifdef __CUDACC__
__global__ void scan_blocks(const uint32_t *values, uint32_t *sums, uint32_t *totals) {
  __shared__ uint32_t warps[THREADS / 32];
  const int i = blockIdx.x * THREADS + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  uint32_t sum = values[i];
  for (int distance = 1; distance < 32; distance *= 2) {
    const uint32_t other = __shfl_up_sync(~0u, sum, distance);
    sum += lane >= distance ? other : 0;
  }
  if (lane == 31)
    warps[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    uint32_t total = lane < THREADS / 32 ? warps[lane] : 0;
    for (int distance = 1; distance < THREADS / 32; distance *= 2) {
      const uint32_t other = __shfl_up_sync(~0u, total, distance);
      total += lane >= distance ? other : 0;
    }
    if (lane < THREADS / 32)
      warps[lane] = total;
  }
  __syncthreads();
  sums[i] = sum + (warp ? warps[warp - 1] : 0);
  if (threadIdx.x == THREADS - 1)
    totals[blockIdx.x] = sums[i];
}
__global__ void add_before(uint32_t *sums, const uint32_t *totals) {
  __shared__ uint32_t before;
  if (threadIdx.x < 32) {
    uint32_t own = 0;
    for (int block = threadIdx.x; block < blockIdx.x; block += 32)
      own += totals[block];
    for (int distance = 16; distance; distance /= 2)
      own += __shfl_down_sync(~0u, own, distance);
    if (threadIdx.x == 0)
      before = own;
  }
  __syncthreads();
  sums[blockIdx.x * THREADS + threadIdx.x] += before;
}
#endif

double compute(int work) {
  uint32_t *values = array_of<uint32_t>(SIZE), *sums = array_of<uint32_t>(SIZE), *totals = array_of<uint32_t>(BLOCKS);
  for (int i = 0; i < SIZE; ++i)
    values[i] = uint32_t(number(i) * 100);
  double all = 0;
  for (int round = 0; round < work; ++round) {
#ifdef __CUDACC__
    scan_blocks<<<BLOCKS, THREADS>>>(values, sums, totals);
    add_before<<<BLOCKS, THREADS>>>(sums, totals);
    finish();
#else
#pragma omp parallel for
    for (int block = 0; block < BLOCKS; ++block) {
      uint32_t sum = 0;
      for (int i = block * THREADS; i < (block + 1) * THREADS; ++i)
        sums[i] = sum += values[i];
      totals[block] = sum;
    }
    uint32_t before = 0;
    for (int block = 0; block < BLOCKS; ++block) {
      const uint32_t own = totals[block];
      totals[block] = before;
      before += own;
    }
#pragma omp parallel for
    for (int block = 0; block < BLOCKS; ++block)
      for (int i = block * THREADS; i < (block + 1) * THREADS; ++i)
        sums[i] += totals[block];
#endif
    all += sums[SIZE - 1] + sums[SIZE / 3];
  }
  return all;
}
