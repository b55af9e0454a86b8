//===-- bench/parallel/cuda/jacobi.cu - A stencil of five points ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common.cuh"
#include <utility>

__global__ void prepare(double *a, double *b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n * n)
    a[i] = b[i] = i < n ? 1 : 0;
}

__global__ void relax(const double *now, double *next, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1)
    return;
  const size_t i = (size_t)y * n + x;
  next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n]);
}

__global__ void relax_and_compare(const double *now, double *next, int n,
                                  unsigned long long *change) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  double mine = 0;
  if (x >= 1 && y >= 1 && x < n - 1 && y < n - 1) {
    const size_t i = (size_t)y * n + x;
    next[i] = 0.25 * (now[i - 1] + now[i + 1] + now[i - n] + now[i + n]);
    mine = fabs(next[i] - now[i]);
  }
  for (int apart = 16; apart; apart /= 2)
    mine = fmax(mine, __shfl_down_sync(~0u, mine, apart));
  if (threadIdx.x == 0) // positive numbers compare like their bits
    atomicMax(change, (unsigned long long)__double_as_longlong(mine));
}

__global__ void add(const double *values, int count, double *sum) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x)
    mine += values[i];
  add_block(mine, sum);
}

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 4096);
  const int iterations = (int)argument(argc, argv, 2, 200);
  double *a = allocate<double>((size_t)n * n),
         *b = allocate<double>((size_t)n * n), *sum = allocate<double>(1);
  unsigned long long *change = allocate<unsigned long long>(1), last = 0;
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  prepare<<<blocks_for((long)n * n, 256), 256>>>(a, b, n);
  const dim3 threads(32, 8), blocks(blocks_for(n, 32), blocks_for(n, 8));
  const double begin = now();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    if (iteration % 50 == 49) {
      CHECK(cudaMemsetAsync(change, 0, sizeof *change));
      relax_and_compare<<<blocks, threads>>>(a, b, n, change);
      last = fetch(change);
    } else {
      relax<<<blocks, threads>>>(a, b, n);
    }
    std::swap(a, b);
  }
  report_time(now() - begin);
  add<<<blocks_of_device(4), 256>>>(a, n * n, sum);
  double change_of_last;
  static_assert(sizeof change_of_last == sizeof last, "");
  __builtin_memcpy(&change_of_last, &last, sizeof last);
  printf("jacobi %d %d: sum %.6f, last change %.6e\n", n, iterations,
         fetch(sum), change_of_last);
}
