//===-- bench/parallel/cuda/lookup.cu - Cross sections of neutrons --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common.cuh"

enum { NUCLIDES = 68, MATERIALS = 12, KINDS = 5 };
struct point {
  double energy, sections[KINDS];
};

__constant__ int counts[MATERIALS] = {34, 5,  4,  4,  27, 21,
                                      21, 21, 21, 21, 9,  9};

__global__ void prepare(point *points, long count) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= NUCLIDES * count)
    return;
  const long place = i % count;
  points[i].energy = place ? ((double)place + 0.9 * fraction((uint64_t)i)) /
                                 (double)(count - 1)
                           : 0;
  for (int kind = 0; kind < KINDS; ++kind)
    points[i].sections[kind] = fraction((uint64_t)(i * KINDS + kind));
}

__global__ void look_up(const point *__restrict__ points, long count,
                        long lookups, double *result) {
  double mine = 0;
  for (long number = blockIdx.x * (long)blockDim.x + threadIdx.x;
       number < lookups; number += (long)gridDim.x * blockDim.x) {
    const double energy = fraction(2 * (uint64_t)number);
    const int material = (int)(mix(2 * (uint64_t)number + 1) % MATERIALS);
    double sums[KINDS] = {};
    for (int i = 0; i < counts[material]; ++i) {
      const point *table = points + (material * 7 + i * 3) % NUCLIDES * count;
      int low = 0, length = (int)count - 1;
      while (length > 1) {
        const int half = length / 2;
        if (table[low + half].energy <= energy)
          low += half;
        length -= half;
      }
      const point *at = table + low;
      const double part = (energy - at->energy) / (at[1].energy - at->energy);
      const double density = 1.0 / (1 + i);
      for (int kind = 0; kind < KINDS; ++kind)
        sums[kind] +=
            density * (at->sections[kind] +
                       part * (at[1].sections[kind] - at->sections[kind]));
    }
    double most = 0;
    for (int kind = 0; kind < KINDS; ++kind)
      most = fmax(most, sums[kind]);
    mine += most;
  }
  add_block(mine, result);
}

int main(int argc, char **argv) {
  const long lookups = argument(argc, argv, 1, 1L << 22);
  const long count = argument(argc, argv, 2, 11303);
  point *points = allocate<point>(NUCLIDES * count);
  double *sum = allocate<double>(1);
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  prepare<<<blocks_for(NUCLIDES * count, 256), 256>>>(points, count);
  const double begin = now();
  look_up<<<blocks_of_device(8), 256>>>(points, count, lookups, sum);
  report_time(now() - begin);
  printf("lookup %ld %ld: %.6e\n", lookups, count, fetch(sum));
}
