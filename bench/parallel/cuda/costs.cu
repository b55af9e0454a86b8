//===-- bench/parallel/cuda/costs.cu - What CUDA's constructs cost --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counterparts of bench/openmp.c: a barrier over the grid (cooperative
// groups), an empty kernel and one with a sum, from launch to the host's next
// step.
//   nvcc -O3 -arch=sm_90 bench/parallel/cuda/costs.cu -o costs
//===----------------------------------------------------------------------===//
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <ctime>

namespace cg = cooperative_groups;

static double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

__global__ void barriers(int count) {
  cg::grid_group grid = cg::this_grid();
  for (int i = 0; i < count; ++i)
    grid.sync();
}
__global__ void empty() {}
__global__ void sum(int n, double *result) {
  double value = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    value += i;
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  value = cg::reduce(warp, value, cg::plus<double>());
  if (!warp.thread_rank())
    atomicAdd(result, value);
}

template <typename Code> static double best(int repeats, Code code) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const double begin = now();
    code();
    cudaDeviceSynchronize();
    const double time = now() - begin;
    best = time < best ? time : best;
  }
  return best / repeats * 1e9;
}

int main() {
  enum { REPEATS = 1000 };
  double *result;
  cudaMallocManaged(&result, sizeof *result);
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  const int blocks = device.multiProcessorCount;
  for (int threads : {32, 256, 1024}) {
    int count = REPEATS;
    void *arguments[] = {&count};
    printf("%d x %d threads\n", blocks, threads);
    const double base = best(1, [&] {
      int none = 0;
      void *arguments[] = {&none};
      cudaLaunchCooperativeKernel((void *)barriers, blocks, threads, arguments);
    });
    printf("  %-26s %10.0f ns\n", "grid.sync()",
           best(REPEATS,
                [&] {
                  cudaLaunchCooperativeKernel((void *)barriers, blocks, threads,
                                              arguments);
                }) -
               base / REPEATS);
    printf("  %-26s %10.0f ns\n", "empty kernel, waited for", best(REPEATS, [&] {
             for (int i = 0; i < REPEATS; ++i) {
               empty<<<blocks, threads>>>();
               cudaDeviceSynchronize();
             }
           }));
    printf("  %-26s %10.0f ns\n", "empty kernel in a stream", best(REPEATS, [&] {
             for (int i = 0; i < REPEATS; ++i)
               empty<<<blocks, threads>>>();
           }));
    printf("  %-26s %10.0f ns\n", "sum, waited for", best(REPEATS, [&] {
             for (int i = 0; i < REPEATS; ++i) {
               sum<<<blocks, threads>>>(blocks * threads, result);
               cudaDeviceSynchronize();
             }
           }));
  }
  return cudaGetLastError() != cudaSuccess;
}
