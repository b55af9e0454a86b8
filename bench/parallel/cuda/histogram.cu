//===-- bench/parallel/cuda/histogram.cu - How often each byte is there ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each block counts in its shared memory.
//===----------------------------------------------------------------------===//
#include "common.cuh"

enum { BINS = 256 };

__global__ void prepare(unsigned char *bytes, long size) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < size;
       i += (long)gridDim.x * blockDim.x)
    bytes[i] = (unsigned char)(mix((uint64_t)i) & mix((uint64_t)i + 1));
}

__global__ void count(const unsigned char *bytes, long size, unsigned *counts) {
  __shared__ unsigned own[BINS];
  own[threadIdx.x] = 0;
  __syncthreads();
  const uint4 *words = (const uint4 *)bytes;
  const long first = blockIdx.x * (long)blockDim.x + threadIdx.x;
  const long step = (long)gridDim.x * blockDim.x;
  for (long i = first; i < size / 16; i += step) {
    const uint4 four = words[i];
    for (const unsigned word : {four.x, four.y, four.z, four.w})
      for (int shift = 0; shift < 32; shift += 8)
        atomicAdd(&own[word >> shift & 255], 1);
  }
  for (long i = size / 16 * 16 + first; i < size; i += step)
    atomicAdd(&own[bytes[i]], 1);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], own[threadIdx.x]);
}

int main(int argc, char **argv) {
  const long size = argument(argc, argv, 1, 1L << 28);
  const int times = (int)argument(argc, argv, 2, 10);
  unsigned char *bytes = allocate<unsigned char>(size);
  unsigned *there = allocate<unsigned>(BINS), counts[BINS];
  prepare<<<blocks_of_device(8), 256>>>(bytes, size);
  const double begin = now();
  for (int time = 0; time < times; ++time) {
    CHECK(cudaMemsetAsync(there, 0, sizeof counts));
    count<<<blocks_of_device(8), BINS>>>(bytes, size, there);
    CHECK(cudaMemcpy(counts, there, sizeof counts, cudaMemcpyDeviceToHost));
  }
  report_time(now() - begin);
  unsigned long sum = 0;
  for (int bin = 0; bin < BINS; ++bin)
    sum = sum * 31 + counts[bin];
  printf("histogram %ld: %u %u %u, %016lx\n", size, counts[0], counts[85],
         counts[255], sum);
}
