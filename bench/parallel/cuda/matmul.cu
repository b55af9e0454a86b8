//===-- bench/parallel/cuda/matmul.cu - Product of dense matrices ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block computes 64 x 64 elements from tiles in shared memory, a thread 4 x 4.
//===----------------------------------------------------------------------===//
#include "common.cuh"

enum { TILE = 64, DEPTH = 16, OWN = 4, SIDE = TILE / OWN };

__global__ void prepare(double *a, double *b, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    a[i] = (double)(mix((uint64_t)i) & 15);
    b[i] = (double)(mix((uint64_t)i + 1) & 15);
  }
}

__global__ void __launch_bounds__(SIDE *SIDE)
    multiply(const double *a, const double *b, double *c, int n) {
  __shared__ double as[DEPTH][TILE + 1], bs[DEPTH][TILE];
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  const int x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
  double sums[OWN][OWN] = {};
  for (int first = 0; first < n; first += DEPTH) {
    for (int i = threadIdx.x; i < TILE * DEPTH; i += SIDE * SIDE) {
      const int k = i % DEPTH, r = i / DEPTH;
      as[k][r] = row + r < n && first + k < n
                     ? a[(size_t)(row + r) * n + first + k]
                     : 0;
      const int column_of_b = i % TILE, row_of_b = i / TILE;
      bs[row_of_b][column_of_b] =
          column + column_of_b < n && first + row_of_b < n
              ? b[(size_t)(first + row_of_b) * n + column + column_of_b]
              : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEPTH; ++k) {
      double left[OWN], right[OWN];
      for (int i = 0; i < OWN; ++i) {
        left[i] = as[k][y + i * SIDE];
        right[i] = bs[k][x + i * SIDE];
      }
      for (int i = 0; i < OWN; ++i)
        for (int j = 0; j < OWN; ++j)
          sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < OWN; ++i)
    for (int j = 0; j < OWN; ++j)
      if (row + y + i * SIDE < n && column + x + j * SIDE < n)
        c[(size_t)(row + y + i * SIDE) * n + column + x + j * SIDE] =
            sums[i][j];
}

__global__ void add(const double *c, int count, double *sum) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x)
    mine += c[i] * (1 + i % 7);
  add_block(mine, sum);
}

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 2048) / 4 * 4;
  const int times = (int)argument(argc, argv, 2, 5);
  const int count = n * n;
  double *a = allocate<double>(count), *b = allocate<double>(count),
         *c = allocate<double>(count), *sum = allocate<double>(1);
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  prepare<<<blocks_for(count, 256), 256>>>(a, b, count);
  const dim3 blocks(blocks_for(n, TILE), blocks_for(n, TILE));
  const double begin = now();
  for (int time = 0; time < times; ++time)
    multiply<<<blocks, SIDE * SIDE>>>(a, b, c, n);
  report_time(now() - begin);
  add<<<blocks_of_device(4), 256>>>(c, count, sum);
  printf("matmul %d: %.0f\n", n, fetch(sum));
}
