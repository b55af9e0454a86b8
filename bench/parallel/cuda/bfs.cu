//===-- bench/parallel/cuda/bfs.cu - Breadth-first search -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp takes places in the next level's list together.
//===----------------------------------------------------------------------===//
#include "common.cuh"
#include <utility>

__global__ void prepare(int *edges, long count, int n) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < count;
       i += (long)gridDim.x * blockDim.x)
    edges[i] = (int)(mix((uint64_t)i) % (uint64_t)n);
}

__global__ void begin_search(int *levels, int *now, int n, int start) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    levels[i] = i == start ? 0 : -1;
  if (!i)
    now[0] = start;
}

__global__ void visit(const int *edges, int degree, int *levels,
                      const int *now, int count, int *next, int *fresh,
                      int level) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= (long)count * degree)
    return;
  const int to = edges[(long)now[i / degree] * degree + i % degree];
  if (levels[to] >= 0 || atomicCAS(&levels[to], -1, level) >= 0)
    return;
  const unsigned mask = __activemask(), lane = threadIdx.x % 32;
  const int leader = __ffs(mask) - 1;
  int place = 0;
  if (lane == leader)
    place = atomicAdd(fresh, __popc(mask));
  place = __shfl_sync(mask, place, leader) + __popc(mask & ((1u << lane) - 1));
  next[place] = to;
}

__global__ void add(const int *levels, int n, unsigned long long *sums) {
  unsigned long long sum = 0, found = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    sum += levels[i] < 0 ? 0 : levels[i];
    found += levels[i] >= 0;
  }
  atomicAdd(&sums[0], sum);
  atomicAdd(&sums[1], found);
}

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 1 << 22);
  const int degree = (int)argument(argc, argv, 2, 8);
  const int searches = (int)argument(argc, argv, 3, 5);
  int *edges = allocate<int>((size_t)n * degree), *levels = allocate<int>(n),
      *current = allocate<int>(n), *next = allocate<int>(n),
      *fresh = allocate<int>(1);
  unsigned long long *sums = allocate<unsigned long long>(2);
  CHECK(cudaMemset(sums, 0, 2 * sizeof *sums));
  prepare<<<blocks_of_device(8), 256>>>(edges, (long)n * degree, n);
  double time = 0;
  for (int search = 0; search < searches; ++search) {
    const double begin = now();
    const int start = (int)(mix((uint64_t)search) % (uint64_t)n);
    begin_search<<<blocks_for(n, 256), 256>>>(levels, current, n, start);
    int count = 1;
    for (int level = 1; count; ++level) {
      CHECK(cudaMemsetAsync(fresh, 0, sizeof *fresh));
      visit<<<blocks_for((long)count * degree, 256), 256>>>(
          edges, degree, levels, current, count, next, fresh, level);
      count = fetch(fresh);
      std::swap(current, next);
    }
    time += now() - begin;
    add<<<blocks_of_device(4), 256>>>(levels, n, sums);
  }
  report_time(time);
  const unsigned long long sum = fetch(sums), found = fetch(sums + 1);
  printf("bfs %d %d %d: %llu found, levels %llu\n", n, degree, searches, found,
         sum);
}
