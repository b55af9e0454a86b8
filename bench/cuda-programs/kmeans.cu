// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// k-means: points in the plane find the nearest of 16 centres, and centres become the means of their points.
#include "measured.h"

enum { POINTS = 1 << 17, CENTRES = 16 };
struct Sums {
  float x[CENTRES], y[CENTRES];
  unsigned count[CENTRES];
};

__host__ __device__ inline int nearest(float x, float y, const float *centres) {
  int best = 0;
  float least = 1e30f;
  for (int k = 0; k < CENTRES; ++k) {
    const float dx = x - centres[2 * k], dy = y - centres[2 * k + 1], distance = dx * dx + dy * dy;
    if (distance < least)
      least = distance, best = k;
  }
  return best;
}

#ifdef __CUDACC__
__global__ void add_points(const float *points, const float *centres, Sums *sums) {
  __shared__ Sums own;
  if (threadIdx.x < CENTRES)
    own.x[threadIdx.x] = own.y[threadIdx.x] = 0, own.count[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, k = nearest(points[2 * i], points[2 * i + 1], centres);
  atomicAdd(&own.x[k], points[2 * i]);
  atomicAdd(&own.y[k], points[2 * i + 1]);
  atomicAdd(&own.count[k], 1u);
  __syncthreads();
  if (threadIdx.x < CENTRES) {
    atomicAdd(&sums->x[threadIdx.x], own.x[threadIdx.x]);
    atomicAdd(&sums->y[threadIdx.x], own.y[threadIdx.x]);
    atomicAdd(&sums->count[threadIdx.x], own.count[threadIdx.x]);
  }
}
#endif

double compute(int work) {
  float *points = array_of<float>(2 * POINTS), *centres = array_of<float>(2 * CENTRES);
  Sums *sums = array_of<Sums>(1);
  for (int i = 0; i < 2 * POINTS; ++i)
    points[i] = number(i);
  for (int i = 0; i < 2 * CENTRES; ++i)
    centres[i] = points[i];
  for (int round = 0; round < work; ++round) {
    *sums = Sums{};
#ifdef __CUDACC__
    add_points<<<POINTS / 256, 256>>>(points, centres, sums);
    finish();
#else
#pragma omp parallel
    {
      Sums own = {};
#pragma omp for
      for (int i = 0; i < POINTS; ++i) {
        const int k = nearest(points[2 * i], points[2 * i + 1], centres);
        own.x[k] += points[2 * i];
        own.y[k] += points[2 * i + 1];
        ++own.count[k];
      }
#pragma omp critical
      for (int k = 0; k < CENTRES; ++k) {
        sums->x[k] += own.x[k];
        sums->y[k] += own.y[k];
        sums->count[k] += own.count[k];
      }
    }
#endif
    for (int k = 0; k < CENTRES; ++k)
      if (sums->count[k]) {
        centres[2 * k] = sums->x[k] / sums->count[k];
        centres[2 * k + 1] = sums->y[k] / sums->count[k];
      }
  }
  return sum_of(centres, 2 * CENTRES);
}
