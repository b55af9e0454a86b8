//===-- test/cuda/Inputs/libcu++.cu - libcu++ of Debian ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics of each scope, and parts of the C++ library, in device code.
//===----------------------------------------------------------------------===//
#include <cstdio>
#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>

__device__ cuda::atomic<int, cuda::thread_scope_device> counter{0};
__device__ cuda::atomic<unsigned long long> largest{1};

struct Result {
  int by_reference, from_library, counter, largest;
};

__global__ void count(Result *result) {
  counter.fetch_add(2, cuda::memory_order_relaxed);
  largest.fetch_max(threadIdx.x);
  cuda::atomic_ref<int, cuda::thread_scope_system> reference(
      result->by_reference);
  reference.fetch_add(1);
  cuda::std::tuple<int, float> tuple(1, 2.f);
  cuda::std::array<int, 3> array{1, 2, 3};
  if (threadIdx.x == 0 && blockIdx.x == 3) {
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst,
                              cuda::thread_scope_device);
    result->from_library = cuda::std::get<0>(tuple) + array[2] +
                           cuda::std::numeric_limits<short>::max();
  }
}
__global__ void read(Result *result) {
  result->counter = counter.load();
  result->largest = (int)largest.load(cuda::std::memory_order_acquire);
  // Without <new>.
  alignas(Result) char memory[sizeof(Result)];
  result->from_library += (new (memory) Result{1, 2, 3, 4})->largest;
}

int main() {
  Result *result;
  cudaMallocManaged(&result, sizeof *result);
  *result = {};
  count<<<4, 64>>>(result);
  read<<<1, 1>>>(result);
  cudaDeviceSynchronize();
  cuda::std::atomic<int> on_host{3};
  on_host.fetch_add(4);
  printf("%d %d %d %d %d\n", result->by_reference, result->from_library,
         result->counter, result->largest, on_host.load());
}
