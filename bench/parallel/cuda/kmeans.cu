//===-- bench/parallel/cuda/kmeans.cu - Clusters of points ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads add to sums in shared memory; the host moves the centres.
//===----------------------------------------------------------------------===//
#include "common.cuh"
#include <cstdlib>

enum { AXES = 4, CLUSTERS = 8, SUMS = CLUSTERS * (AXES + 1) };
struct all_centres {
  int at[CLUSTERS][AXES];
};

__global__ void prepare(int4 *points, long n) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int *point = (int *)&points[i];
  for (int axis = 0; axis < AXES; ++axis)
    point[axis] = (int)(mix((uint64_t)(i * AXES + axis)) % 1024) +
                  (int)(mix((uint64_t)i) % CLUSTERS) * 500;
}

__global__ void assign(const int4 *points, long n, all_centres centres,
                       unsigned long long *sums) {
  __shared__ unsigned long long own[SUMS];
  for (int i = threadIdx.x; i < SUMS; i += blockDim.x)
    own[i] = 0;
  __syncthreads();
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n;
       i += (long)gridDim.x * blockDim.x) {
    const int4 four = points[i];
    const int point[AXES] = {four.x, four.y, four.z, four.w};
    int best = 0;
    long nearest = 1L << 60;
    for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
      long distance = 0;
      for (int axis = 0; axis < AXES; ++axis) {
        const long apart = point[axis] - centres.at[cluster][axis];
        distance += apart * apart;
      }
      if (distance < nearest) {
        nearest = distance;
        best = cluster;
      }
    }
    for (int axis = 0; axis < AXES; ++axis)
      atomicAdd(&own[best * (AXES + 1) + axis], point[axis]);
    atomicAdd(&own[best * (AXES + 1) + AXES], 1);
  }
  __syncthreads();
  for (int i = threadIdx.x; i < SUMS; i += blockDim.x)
    atomicAdd(&sums[i], own[i]);
}

int main(int argc, char **argv) {
  const long n = argument(argc, argv, 1, 1L << 22);
  const int iterations = (int)argument(argc, argv, 2, 20);
  int4 *points = allocate<int4>(n);
  unsigned long long *there = allocate<unsigned long long>(SUMS), sums[SUMS];
  prepare<<<blocks_for(n, 256), 256>>>(points, n);
  all_centres centres;
  for (int cluster = 0; cluster < CLUSTERS; ++cluster) {
    const int4 point = fetch(points + cluster * (n / CLUSTERS));
    const int four[AXES] = {point.x, point.y, point.z, point.w};
    for (int axis = 0; axis < AXES; ++axis)
      centres.at[cluster][axis] = four[axis];
  }
  long moved = 0;
  const double begin = now();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    CHECK(cudaMemsetAsync(there, 0, sizeof sums));
    assign<<<blocks_of_device(8), 256>>>(points, n, centres, there);
    CHECK(cudaMemcpy(sums, there, sizeof sums, cudaMemcpyDeviceToHost));
    moved = 0;
    for (int cluster = 0; cluster < CLUSTERS; ++cluster)
      for (int axis = 0; axis < AXES; ++axis) {
        const long count = (long)sums[cluster * (AXES + 1) + AXES];
        if (!count)
          continue;
        const int to = (int)((long)sums[cluster * (AXES + 1) + axis] / count);
        moved += labs((long)to - centres.at[cluster][axis]);
        centres.at[cluster][axis] = to;
      }
  }
  report_time(now() - begin);
  long sum = 0;
  for (int cluster = 0; cluster < CLUSTERS; ++cluster)
    for (int axis = 0; axis < AXES; ++axis)
      sum = (long)((unsigned long)sum * 31) + centres.at[cluster][axis];
  printf("kmeans %ld %d: moved %ld, %016lx\n", n, iterations, moved,
         (unsigned long)sum);
}
