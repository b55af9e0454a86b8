//===-- bench/parallel/cuda/fourier.cu - Fast Fourier transform -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of radix 4 over the device's memory.
//===----------------------------------------------------------------------===//
#include "common.cuh"
#include <cmath>
#include <utility>

__device__ inline double2 add(double2 a, double2 b) {
  return {a.x + b.x, a.y + b.y};
}
__device__ inline double2 subtract(double2 a, double2 b) {
  return {a.x - b.x, a.y - b.y};
}
__device__ inline double2 multiply(double2 a, double2 b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}

__global__ void prepare(double2 *a, double2 *roots, long n) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n;
       i += (long)gridDim.x * blockDim.x) {
    const double angle = -6.283185307179586 * (double)i / (double)n;
    sincos(angle, &roots[i].y, &roots[i].x);
    a[i] = {fraction((uint64_t)i) - 0.5, 0};
  }
}

__global__ void pass(const double2 *__restrict__ from, double2 *__restrict__ to,
                     const double2 *__restrict__ roots, long n, long stride) {
  const long quarter = n / 4;
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i >= quarter)
    return;
  const long low = i & (stride - 1), part = i - low;
  const double2 a = from[i], b = from[i + quarter], c = from[i + 2 * quarter],
                d = from[i + 3 * quarter];
  const double2 sum = add(a, c), difference = subtract(a, c),
                sum_of_odd = add(b, d), turned = subtract(b, d);
  const double2 quarter_turn = {turned.y, -turned.x};
  const long at = 4 * part + low;
  to[at] = add(sum, sum_of_odd);
  to[at + stride] = multiply(add(difference, quarter_turn), roots[part]);
  to[at + 2 * stride] = multiply(subtract(sum, sum_of_odd), roots[2 * part]);
  to[at + 3 * stride] =
      multiply(subtract(difference, quarter_turn), roots[3 * part]);
}

__global__ void scale(double2 *a, long n, double factor) {
  const long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = {a[i].x * factor, a[i].y * factor};
}

__global__ void sums(const double2 *a, long n, double *power, double *sum) {
  double mine = 0, other = 0;
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n;
       i += (long)gridDim.x * blockDim.x) {
    mine += a[i].x * a[i].x + a[i].y * a[i].y;
    other += a[i].x * (double)(i % 7);
  }
  add_block(mine, power);
  __syncthreads();
  add_block(other, sum);
}

int main(int argc, char **argv) {
  const long n = argument(argc, argv, 1, 1L << 22);
  const int times = (int)argument(argc, argv, 2, 10);
  double2 *a = allocate<double2>(n), *b = allocate<double2>(n),
          *roots = allocate<double2>(n);
  double *results = allocate<double>(2);
  CHECK(cudaMemset(results, 0, 2 * sizeof *results));
  prepare<<<blocks_of_device(8), 256>>>(a, roots, n);
  const double begin = now();
  for (int time = 0; time < times; ++time) {
    for (long stride = 1; stride < n; stride *= 4) {
      pass<<<blocks_for(n / 4, 256), 256>>>(a, b, roots, n, stride);
      std::swap(a, b);
    }
    scale<<<blocks_for(n, 256), 256>>>(a, n, 1 / std::sqrt((double)n));
  }
  report_time(now() - begin);
  sums<<<blocks_of_device(8), 256>>>(a, n, results, results + 1);
  const double power = fetch(results), sum = fetch(results + 1);
  printf("fourier %ld %d: power %.6e, sum %.6f\n", n, times, power, sum);
}
