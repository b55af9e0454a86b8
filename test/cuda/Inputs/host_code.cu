// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels at which ways to run them differ most: lanes that leave loops at
// different times, meet at barriers and in warps, and end early. The program
// prints a hash of what each one has written.
#include <cstdint>
#include <cstdio>
#include <cuda_runtime.h>

enum { THREADS = 96, BLOCKS = 5, ALL = THREADS * BLOCKS };

__device__ unsigned own() { return blockIdx.x * blockDim.x + threadIdx.x; }

// As many barriers as the block's number says, in a loop whose other work
// depends on the thread.
__global__ void barriers_in_a_loop(unsigned *out) {
  __shared__ unsigned part[THREADS];
  unsigned sum = 0;
  for (unsigned round = 0; round <= blockIdx.x; ++round) {
    part[threadIdx.x] = threadIdx.x * round + 1;
    __syncthreads();
    for (unsigned n = 0; n < threadIdx.x % 7; ++n)
      sum = sum * 31 + part[(threadIdx.x + n * round) % THREADS];
    __syncthreads();
  }
  out[own()] = sum;
}

// Conditions that are equal in the block, nested.
__global__ void conditional_barriers(unsigned *out, unsigned mode) {
  __shared__ unsigned part[THREADS];
  unsigned value = threadIdx.x;
  for (unsigned i = 0; i < 3; ++i) {
    if ((mode >> i & 1) == (blockIdx.x & 1)) {
      part[threadIdx.x] = value;
      for (unsigned j = 0; j < i + 1; ++j) {
        if (j % 2 == 0)
          __syncthreads();
        value += part[(threadIdx.x + i + j) % THREADS] * (j + 1);
        __syncthreads();
      }
    }
    value = value * 5 + i;
    __syncthreads();
  }
  out[own()] = value;
}

// Between two barriers one thread works, the others wait.
__global__ void one_thread_works(unsigned *out) {
  __shared__ unsigned sum, part[THREADS];
  part[threadIdx.x] = threadIdx.x * threadIdx.x + blockIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    sum = 0;
    for (unsigned n = 0; n < THREADS; ++n)
      sum = sum * 3 + part[n];
  }
  __syncthreads();
  out[own()] = sum + part[threadIdx.x];
}

// Threads that have ended count at no barrier.
__global__ void early_ends(unsigned *out) {
  __shared__ unsigned part[THREADS];
  part[threadIdx.x] = 0;
  __syncthreads();
  if (threadIdx.x >= 60)
    return;
  part[threadIdx.x] = threadIdx.x + 1;
  __syncthreads();
  const unsigned other = part[(threadIdx.x + 7) % 60];
  __syncthreads();
  if (threadIdx.x % 3 == blockIdx.x % 3) {
    out[own()] = other;
    return;
  }
  part[threadIdx.x] += 1000;
  __syncthreads();
  out[own()] = part[59 - threadIdx.x];
}

// A trip count for each thread, and shuffles of those that are still there.
__global__ void shuffles_in_a_loop(unsigned *out) {
  unsigned value = own() * 2654435761u, left = threadIdx.x % 5 + 1;
  unsigned mask = 0;
  for (unsigned round = 0; round < 5; ++round) {
    mask = __ballot_sync(~0u, round < left);
    if (round < left) {
      const unsigned other = __shfl_xor_sync(mask, value, 1);
      value += mask >> (threadIdx.x % 32 ^ 1) & 1 ? other ^ round : round;
    }
  }
  out[own()] = value ^ mask;
}

__global__ void warp_operations(unsigned *out) {
  unsigned lane = threadIdx.x % 32, value = own() * 40503u;
  value += __shfl_down_sync(~0u, value, 3) + __shfl_up_sync(~0u, value, 33);
  value ^= __shfl_sync(~0u, value, lane * 7, 8);
  value += __ballot_sync(~0u, value & 4) + __any_sync(~0u, value == 3) +
           __all_sync(~0u, value != 3) * 2;
  if (lane < 16)
    value += __shfl_xor_sync(0xffff, value, 5);
  else
    value -= __shfl_xor_sync(0xffff0000, value, 9);
  __syncwarp();
  out[own()] = value + __syncthreads_count(value & 1) +
               __syncthreads_or(value == 1) * 3 + __syncthreads_and(1) * 5;
}

__global__ void atomics(unsigned *out, unsigned *counts) {
  __shared__ unsigned bins[16], most;
  __shared__ float sum;
  if (threadIdx.x < 16)
    bins[threadIdx.x] = 0;
  if (threadIdx.x == 0) {
    sum = 0;
    most = 0;
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x * 5 % 16], threadIdx.x);
  atomicMax(&most, threadIdx.x * 37 % 91);
  atomicAdd(&sum, 0.5f);
  __syncthreads();
  if (threadIdx.x < 16)
    atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
  // A sum by compare-and-swap: some thread always makes progress.
  unsigned long long *wide = reinterpret_cast<unsigned long long *>(counts + 16);
  unsigned long long old = *wide, assumed;
  do {
    assumed = old;
    old = atomicCAS(wide, assumed, assumed + threadIdx.x);
  } while (old != assumed);
  out[own()] = bins[threadIdx.x % 16] + unsigned(sum) + most;
}

// Arrays of the thread that live across barriers.
__global__ void local_arrays(unsigned *out) {
  __shared__ unsigned part[THREADS];
  unsigned mine[24];
  for (unsigned n = 0; n < 24; ++n)
    mine[n] = threadIdx.x * n;
  for (unsigned round = 0; round < 4; ++round) {
    part[threadIdx.x] = mine[(threadIdx.x + round) % 24];
    __syncthreads();
    mine[part[(threadIdx.x + 1) % THREADS] % 24] += round + 1;
    __syncthreads();
  }
  unsigned sum = 0;
  for (unsigned n = 0; n < 24; ++n)
    sum = sum * 17 + mine[n];
  out[own()] = sum;
}

__constant__ unsigned table[4] = {3, 1, 4, 1};
__device__ unsigned variable = 5;
__global__ void variables(unsigned *out) {
  out[own()] = table[threadIdx.x % 4] * variable;
}

// In three dimensions, and with shared memory that the launch asks for.
__global__ void cubes(unsigned *out) {
  extern __shared__ unsigned dynamic[];
  unsigned thread =
      threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  dynamic[thread] = threadIdx.x + 10 * threadIdx.y + 100 * threadIdx.z;
  __syncthreads();
  unsigned block =
      blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  out[block * 96 + thread] = dynamic[(thread + 13) % 96] * (block + 1);
}

static unsigned *out, *counts;

template <typename Launch> void show(const char *name, Launch launch) {
  cudaMemset(out, 0, 1 << 16);
  launch();
  const cudaError_t error = cudaDeviceSynchronize();
  static unsigned all[1 << 14];
  cudaMemcpy(all, out, sizeof all, cudaMemcpyDeviceToHost);
  uint64_t hash = 14695981039346656037u;
  for (unsigned value : all)
    hash = (hash ^ value) * 1099511628211u;
  printf("%s %016llx %s\n", name, (unsigned long long)hash,
         cudaGetErrorName(error));
}

int main() {
  cudaMalloc(&out, 1 << 16);
  cudaMalloc(&counts, 256);
  cudaMemset(counts, 0, 256);
  show("barriers_in_a_loop", [] { barriers_in_a_loop<<<BLOCKS, THREADS>>>(out); });
  for (unsigned mode = 0; mode < 8; ++mode)
    show("conditional_barriers",
         [=] { conditional_barriers<<<BLOCKS, THREADS>>>(out, mode); });
  show("one_thread_works", [] { one_thread_works<<<BLOCKS, THREADS>>>(out); });
  show("early_ends", [] { early_ends<<<BLOCKS, THREADS>>>(out); });
  show("shuffles_in_a_loop", [] { shuffles_in_a_loop<<<BLOCKS, THREADS>>>(out); });
  show("warp_operations", [] { warp_operations<<<BLOCKS, THREADS>>>(out); });
  show("atomics", [] { atomics<<<BLOCKS, THREADS>>>(out, counts); });
  show("local_arrays", [] { local_arrays<<<BLOCKS, THREADS>>>(out); });
  show("variables", [] { variables<<<BLOCKS, THREADS>>>(out); });
  show("cubes", [] { cubes<<<dim3(2, 3, 4), dim3(4, 8, 3), 96 * 4>>>(out); });
  unsigned seen[18];
  cudaMemcpy(seen, counts, sizeof seen, cudaMemcpyDeviceToHost);
  for (unsigned value : seen)
    printf("%u ", value);
  puts("");
  return 0;
}
