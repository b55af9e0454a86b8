// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of two matrices, in tiles of 16 x 16 in shared memory; on the host in blocks of the same size.
#include "measured.h"

enum { SIZE = 256, TILE = 16 };

#ifdef __CUDACC__
__global__ void product(const float *a, const float *b, float *c) {
  __shared__ float part_a[TILE][TILE], part_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < SIZE / TILE; ++tile) {
    part_a[threadIdx.y][threadIdx.x] = a[row * SIZE + tile * TILE + threadIdx.x];
    part_b[threadIdx.y][threadIdx.x] = b[(tile * TILE + threadIdx.y) * SIZE + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k)
      sum += part_a[threadIdx.y][k] * part_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * SIZE + column] = sum;
}
#endif

double compute(int work) {
  float *a = array_of<float>(SIZE * SIZE), *b = array_of<float>(SIZE * SIZE), *c = array_of<float>(SIZE * SIZE);
  for (int i = 0; i < SIZE * SIZE; ++i)
    a[i] = number(i), b[i] = number(i + SIZE * SIZE);
  for (int round = 0; round < work; ++round) {
#ifdef __CUDACC__
    product<<<dim3(SIZE / TILE, SIZE / TILE), dim3(TILE, TILE)>>>(a, b, c);
#else
#pragma omp parallel for
    for (int row = 0; row < SIZE; row += TILE) {
      for (int i = row; i < row + TILE; ++i)
        for (int column = 0; column < SIZE; ++column)
          c[i * SIZE + column] = 0;
      for (int tile = 0; tile < SIZE; tile += TILE)
        for (int i = row; i < row + TILE; ++i)
          for (int k = tile; k < tile + TILE; ++k)
            for (int column = 0; column < SIZE; ++column)
              c[i * SIZE + column] += a[i * SIZE + k] * b[k * SIZE + column];
    }
#endif
  }
  finish();
  return sum_of(c, SIZE * SIZE);
}
