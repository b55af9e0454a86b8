// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the programs of bench/cuda share. Each is one source: a CUDA program for gpucc, and the same computation with OpenMP for the host's compiler.
// The main program of both is `int main`, which calls compute() with the work that its argument says and prints what comes out.
#pragma once
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __CUDACC__
#define CHECK(call)                                                                                                                        \
  do {                                                                                                                                     \
    const cudaError_t error = (call);                                                                                                      \
    if (error != cudaSuccess) {                                                                                                            \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                                                       \
      exit(1);                                                                                                                             \
    }                                                                                                                                      \
  } while (0)

/// `count` values that both processors see.
template <typename T> T *array_of(size_t count) {
  void *memory;
  CHECK(cudaMallocManaged(&memory, count * sizeof(T)));
  return static_cast<T *>(memory);
}
/// Waits for all kernels.
inline void finish() {
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}
#else
#define __host__
#define __device__
template <typename T> T *array_of(size_t count) { return static_cast<T *>(malloc(count * sizeof(T))); }
inline void finish() {}
#endif

/// Numbers between 0 and 1 that are the same everywhere.
__host__ __device__ inline float number(uint32_t i) {
  i = (i ^ 61) ^ (i >> 16);
  i *= 9;
  i ^= i >> 4;
  i *= 0x27d4eb2d;
  return float((i ^ (i >> 15)) & 0xffffff) / 16777216.0f;
}

/// The sum of `count` values.
template <typename T> double sum_of(const T *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += values[i];
  return sum;
}

/// What is computed; `work` is about proportional to the time. Returns a sum over the results.
double compute(int work);

int main(int argc, char **argv) {
  printf("%.3e\n", compute(argc > 1 ? atoi(argv[1]) : 1));
  return 0;
}
