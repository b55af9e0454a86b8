// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds two vectors on the device: gpucc vector_add.cu -o vector_add
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(CALL)                                                            \
  do {                                                                         \
    cudaError_t error = CALL;                                                  \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL,            \
              cudaGetErrorString(error));                                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

__global__ void add(const float *a, const float *b, float *sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    sum[i] = a[i] + b[i];
}

int main() {
  const int count = 100000;
  std::vector<float> a(count), b(count), sum(count);
  for (int i = 0; i < count; ++i) {
    a[i] = 0.5f * i;
    b[i] = std::sqrt((float)i);
  }
  const size_t size = count * sizeof(float);
  float *device_a, *device_b, *device_sum;
  CHECK(cudaMalloc(&device_a, size));
  CHECK(cudaMalloc(&device_b, size));
  CHECK(cudaMalloc(&device_sum, size));
  CHECK(cudaMemcpy(device_a, a.data(), size, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), size, cudaMemcpyHostToDevice));

  const int threads = 256, blocks = (count + threads - 1) / threads;
  add<<<blocks, threads>>>(device_a, device_b, device_sum, count);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(sum.data(), device_sum, size, cudaMemcpyDeviceToHost));

  int wrong = 0;
  for (int i = 0; i < count; ++i)
    wrong += sum[i] != a[i] + b[i];
  printf("%d sums, %d wrong\n", count, wrong);
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_sum));
  return wrong != 0;
}
