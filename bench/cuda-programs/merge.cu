// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A merge sort: each element finds its place among those of the other run by bisection.
#include "measured.h"
#include <algorithm>

enum { SIZE = 1 << 17 };

/// How many elements of a run are less than `value`, or not more if `equal` counts.
__host__ __device__ inline int rank_of(uint32_t value, const uint32_t *run, int size, bool equal) {
  int low = 0, high = size;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (run[middle] < value || (equal && run[middle] == value))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
__host__ __device__ inline void place(const uint32_t *from, uint32_t *to, int i, int run) {
  const int first = i / run * run, pair = i / (2 * run) * (2 * run), other = first == pair ? pair + run : pair;
  to[pair + (i - first) + rank_of(from[i], from + other, run, first != pair)] = from[i];
}

#ifdef __CUDACC__
__global__ void merge(const uint32_t *from, uint32_t *to, int run) { place(from, to, blockIdx.x * blockDim.x + threadIdx.x, run); }
#endif

double compute(int work) {
  uint32_t *from = array_of<uint32_t>(SIZE), *to = array_of<uint32_t>(SIZE);
  double sum = 0;
  for (int round = 0; round < work; ++round) {
    for (int i = 0; i < SIZE; ++i)
      from[i] = uint32_t(number(i + round) * 1e9f);
    for (int run = 1; run < SIZE; run *= 2) {
#ifdef __CUDACC__
      merge<<<SIZE / 256, 256>>>(from, to, run);
#else
#pragma omp parallel for
      for (int i = 0; i < SIZE; ++i)
        place(from, to, i, run);
#endif
      std::swap(from, to);
    }
    finish();
    if (!std::is_sorted(from, from + SIZE))
      printf("round %d is not sorted\n", round);
    sum += from[SIZE / 2];
  }
  return sum;
}
