//===-- bench/parallel/cuda/common.cuh - What the programs share ----------===//
// The programs of bench/parallel, written by hand in CUDA: the same arguments,
// the same output, the same part of the work measured.
//===----------------------------------------------------------------------===//
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#define CHECK(call)                                                            \
  do {                                                                         \
    const cudaError_t error = call;                                            \
    if (error != cudaSuccess) {                                                \
      fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));           \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

inline long argument(int argc, char **argv, int which, long otherwise) {
  return argc > which ? atol(argv[which]) : otherwise;
}

/// Seconds, after everything that was launched is done.
inline double now() {
  CHECK(cudaDeviceSynchronize());
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}
inline void report_time(double seconds) {
  fprintf(stderr, "seconds %.9f\n", seconds);
}

template <typename T> T *allocate(size_t count) {
  T *memory;
  CHECK(cudaMalloc(&memory, count * sizeof(T)));
  return memory;
}
template <typename T> T fetch(const T *from) {
  T value;
  CHECK(cudaMemcpy(&value, from, sizeof(T), cudaMemcpyDeviceToHost));
  return value;
}

/// Blocks of `threads` for `count` things, one for each thread.
inline unsigned blocks_for(long count, int threads) {
  return (unsigned)((count + threads - 1) / threads);
}
/// Blocks that fill the device, for loops over the grid.
inline unsigned blocks_of_device(int per_processor) {
  int device, processors;
  CHECK(cudaGetDevice(&device));
  CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount,
                               device));
  return (unsigned)(processors * per_processor);
}

__host__ __device__ inline uint64_t mix(uint64_t n) {
  n += 0x9e3779b97f4a7c15u;
  n = (n ^ n >> 30) * 0xbf58476d1ce4e5b9u;
  n = (n ^ n >> 27) * 0x94d049bb133111ebu;
  return n ^ n >> 31;
}
__host__ __device__ inline double fraction(uint64_t n) {
  return (double)(mix(n) >> 11) * 0x1p-53;
}

/// Adds the values of a block's threads to *sum; for all of them.
__device__ inline void add_block(double value, double *sum) {
  __shared__ double parts[32];
  for (int apart = 16; apart; apart /= 2)
    value += __shfl_down_sync(~0u, value, apart);
  if (threadIdx.x % 32 == 0)
    parts[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) {
    value = threadIdx.x < blockDim.x / 32 ? parts[threadIdx.x] : 0;
    for (int apart = 16; apart; apart /= 2)
      value += __shfl_down_sync(~0u, value, apart);
    if (!threadIdx.x)
      atomicAdd(sum, value);
  }
}
