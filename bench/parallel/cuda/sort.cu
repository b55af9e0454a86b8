//===-- bench/parallel/cuda/sort.cu - Merge sort --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks sort parts in shared memory (bitonic); then parts are merged, each
// thread finding its piece of the result by binary search (merge path).
//===----------------------------------------------------------------------===//
#include "common.cuh"
#include <utility>

enum { PART = 1024, THREADS = 512, PIECE = 8 };

__global__ void prepare(uint32_t *a, long n) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n;
       i += (long)gridDim.x * blockDim.x)
    a[i] = (uint32_t)mix((uint64_t)i);
}

__global__ void sort_parts(uint32_t *a, long n) {
  __shared__ uint32_t part[PART];
  const long first = blockIdx.x * (long)PART;
  for (int i = threadIdx.x; i < PART; i += THREADS)
    part[i] = first + i < n ? a[first + i] : ~0u;
  for (int size = 2; size <= PART; size *= 2)
    for (int apart = size / 2; apart; apart /= 2) {
      __syncthreads();
      const int low = 2 * threadIdx.x - (threadIdx.x & (apart - 1));
      const uint32_t left = part[low], right = part[low + apart];
      if ((left > right) == !(low & size)) {
        part[low] = right;
        part[low + apart] = left;
      }
    }
  __syncthreads();
  for (int i = threadIdx.x; i < PART; i += THREADS)
    if (first + i < n)
      a[first + i] = part[i];
}

__global__ void merge(const uint32_t *from, uint32_t *to, long n, long width) {
  const long at = (blockIdx.x * (long)blockDim.x + threadIdx.x) * PIECE;
  if (at >= n)
    return;
  const long begin = at / (2 * width) * (2 * width);
  const long count_a = min(width, n - begin);
  const long count_b = min(width, max(0L, n - begin - width));
  const uint32_t *a = from + begin, *b = a + count_a;
  const long skip = at - begin;
  long low = max(0L, skip - count_b), high = min(skip, count_a);
  while (low < high) {
    const long middle = (low + high) / 2;
    if (a[middle] <= b[skip - middle - 1])
      low = middle + 1;
    else
      high = middle;
  }
  long i = low, j = skip - low;
  for (long k = at; k < min(at + PIECE, begin + count_a + count_b); ++k)
    to[k] = i < count_a && (j >= count_b || a[i] <= b[j]) ? a[i++] : b[j++];
}

__global__ void check(const uint32_t *a, long n, unsigned long long *result) {
  unsigned long long wrong = 0, sum = 0;
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n;
       i += (long)gridDim.x * blockDim.x) {
    wrong += i && a[i - 1] > a[i];
    sum += (unsigned long long)a[i] * (unsigned long long)(i % 1000);
  }
  atomicAdd(&result[0], wrong);
  atomicAdd(&result[1], sum);
}

int main(int argc, char **argv) {
  const long n = argument(argc, argv, 1, 1L << 22);
  uint32_t *a = allocate<uint32_t>(n), *b = allocate<uint32_t>(n);
  unsigned long long *result = allocate<unsigned long long>(2);
  CHECK(cudaMemset(result, 0, 2 * sizeof *result));
  prepare<<<blocks_of_device(8), 256>>>(a, n);
  const double begin = now();
  sort_parts<<<blocks_for(n, PART), THREADS>>>(a, n);
  for (long width = PART; width < n; width *= 2) {
    merge<<<blocks_for((n + PIECE - 1) / PIECE, 256), 256>>>(a, b, n, width);
    std::swap(a, b);
  }
  report_time(now() - begin);
  check<<<blocks_of_device(8), 256>>>(a, n, result);
  const unsigned long long wrong = fetch(result), sum = fetch(result + 1);
  printf("sort %ld: %llu wrong, %016llx\n", n, wrong, sum);
}
