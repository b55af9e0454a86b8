//===-- bench/parallel/cuda/montecarlo.cu - The price of an option --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common.cuh"

__global__ void pay(long paths, int steps, double *sum) {
  const double time = 1.0 / steps;
  const double drift = (0.03 - 0.25 * 0.25 / 2) * time;
  const double width = 0.25 * sqrt(time);
  double mine = 0;
  for (long path = blockIdx.x * (long)blockDim.x + threadIdx.x; path < paths;
       path += (long)gridDim.x * blockDim.x) {
    uint64_t state = (uint64_t)path * (uint64_t)steps * 4;
    double price = 100, total = 0;
    for (int step = 0; step < steps; step += 2) {
      const double u = 1 - fraction(state++), v = fraction(state++);
      const double length = sqrt(-2 * log(u));
      double sine, cosine;
      sincos(6.283185307179586 * v, &sine, &cosine);
      price *= exp(drift + width * length * cosine);
      total += price;
      price *= exp(drift + width * length * sine);
      total += price;
    }
    mine += fmax(total / steps - 105, 0.0);
  }
  add_block(mine, sum);
}

int main(int argc, char **argv) {
  const long paths = argument(argc, argv, 1, 1L << 20);
  const int steps = (int)argument(argc, argv, 2, 64);
  double *sum = allocate<double>(1);
  CHECK(cudaMemset(sum, 0, sizeof *sum));
  const double begin = now();
  pay<<<blocks_of_device(8), 256>>>(paths, steps, sum);
  const double price = exp(-0.03) * fetch(sum) / (double)paths;
  report_time(now() - begin);
  printf("montecarlo %ld %d: %.6f\n", paths, steps, price);
}
