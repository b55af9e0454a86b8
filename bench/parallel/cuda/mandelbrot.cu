//===-- bench/parallel/cuda/mandelbrot.cu - The Mandelbrot set ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "common.cuh"

__global__ void draw(int *image, int n, int most) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n * n)
    return;
  const double x = -2.0 + 2.5 * (i % n) / n, y = -1.25 + 2.5 * (i / n) / n;
  double a = 0, b = 0;
  int count = 0;
  // Without fused operations, which give another picture.
  for (; count < most &&
         __dadd_rn(__dmul_rn(a, a), __dmul_rn(b, b)) <= 4;
       ++count) {
    const double next =
        __dadd_rn(__dadd_rn(__dmul_rn(a, a), -__dmul_rn(b, b)), x);
    b = __dadd_rn(__dmul_rn(2 * a, b), y);
    a = next;
  }
  image[i] = count;
}

__global__ void add(const int *image, int count, int most,
                    unsigned long long *sums) {
  unsigned long long sum = 0, inside = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    sum += image[i];
    inside += image[i] == most;
  }
  atomicAdd(&sums[0], sum);
  atomicAdd(&sums[1], inside);
}

int main(int argc, char **argv) {
  const int n = (int)argument(argc, argv, 1, 2048);
  const int most = (int)argument(argc, argv, 2, 2000);
  int *image = allocate<int>((size_t)n * n);
  unsigned long long *sums = allocate<unsigned long long>(2);
  CHECK(cudaMemset(sums, 0, 2 * sizeof *sums));
  const double begin = now();
  draw<<<blocks_for((long)n * n, 128), 128>>>(image, n, most);
  report_time(now() - begin);
  add<<<blocks_of_device(4), 256>>>(image, n * n, most, sums);
  const unsigned long long sum = fetch(sums), inside = fetch(sums + 1);
  printf("mandelbrot %d %d: %llu iterations, %llu inside\n", n, most, sum,
         inside);
}
