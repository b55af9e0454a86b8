//===-- bench/parallel/cuda/gradients.cu - Conjugate gradients ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sums stay on the device: the host waits once, at the end.
//===----------------------------------------------------------------------===//
#include "common.cuh"
#include <cmath>
#include <vector>

enum { THREADS = 256 };
struct sums {
  double square, product, fresh;
};

__global__ void begin_with(double *x, double *r, double *p, int rows,
                           sums *all) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows;
       i += gridDim.x * blockDim.x) {
    x[i] = 0;
    r[i] = p[i] = 1 + (double)(i % 10) / 10;
    mine += r[i] * r[i];
  }
  add_block(mine, &all->square);
}
__global__ void multiply(const int *__restrict__ starts,
                         const int *__restrict__ columns,
                         const double *__restrict__ values,
                         const double *__restrict__ x, double *y, int rows,
                         sums *all) {
  double mine = 0;
  for (int row = blockIdx.x * blockDim.x + threadIdx.x; row < rows;
       row += gridDim.x * blockDim.x) {
    double product = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
      product += values[i] * x[columns[i]];
    y[row] = product;
    mine += product * x[row];
  }
  add_block(mine, &all->product);
}
__global__ void step(double *x, double *r, const double *p, const double *q,
                     int rows, sums *all) {
  const double length = all->square / all->product;
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows;
       i += gridDim.x * blockDim.x) {
    x[i] += length * p[i];
    r[i] -= length * q[i];
    mine += r[i] * r[i];
  }
  add_block(mine, &all->fresh);
}
__global__ void turn(double *p, const double *r, int rows, const sums *all) {
  const double length = all->fresh / all->square;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows;
       i += gridDim.x * blockDim.x)
    p[i] = r[i] + length * p[i];
}
__global__ void next(sums *all) {
  all->square = all->fresh;
  all->product = all->fresh = 0;
}
__global__ void add(const double *x, int rows, double *sum) {
  double mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows;
       i += gridDim.x * blockDim.x)
    mine += x[i];
  add_block(mine, sum);
}

template <typename T> T *upload(const std::vector<T> &from) {
  T *memory = allocate<T>(from.size());
  CHECK(cudaMemcpy(memory, from.data(), from.size() * sizeof(T),
                   cudaMemcpyHostToDevice));
  return memory;
}

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 128);
  const int iterations = (int)argument(argc, argv, 2, 100);
  const int rows = n * n * n;
  std::vector<int> starts = {0}, columns;
  std::vector<double> values;
  for (int row = 0; row < rows; ++row) {
    const int x = row % n, y = row / n % n, z = row / n / n;
    const int apart[] = {-n * n, -n, -1, 0, 1, n, n * n};
    const bool there[] = {z > 0, y > 0,     x > 0,     true,
                          x < n - 1, y < n - 1, z < n - 1};
    for (int i = 0; i < 7; ++i)
      if (there[i]) {
        columns.push_back(row + apart[i]);
        values.push_back(apart[i] ? -1.0 : 6.0);
      }
    starts.push_back((int)columns.size());
  }
  const int *starts_there = upload(starts), *columns_there = upload(columns);
  const double *values_there = upload(values);
  double *x = allocate<double>(rows), *r = allocate<double>(rows),
         *p = allocate<double>(rows), *q = allocate<double>(rows),
         *sum = allocate<double>(1);
  sums *all = allocate<sums>(1);
  CHECK(cudaMemset(all, 0, sizeof *all));
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  const unsigned blocks = blocks_of_device(8);
  begin_with<<<blocks, THREADS>>>(x, r, p, rows, all);
  const double at_first = fetch(all).square, begin = now();
  for (int iteration = 0; iteration < iterations; ++iteration) {
    multiply<<<blocks, THREADS>>>(starts_there, columns_there, values_there, p,
                                  q, rows, all);
    step<<<blocks, THREADS>>>(x, r, p, q, rows, all);
    turn<<<blocks, THREADS>>>(p, r, rows, all);
    next<<<1, 1>>>(all);
  }
  report_time(now() - begin);
  add<<<blocks, THREADS>>>(x, rows, sum);
  printf("gradients %d %d: sum %.5e, residual %.1e\n", n, iterations,
         fetch(sum), std::sqrt(fetch(all).square / at_first));
}
