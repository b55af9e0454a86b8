// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUDA's own in-kernel malloc under the same load as heap.c: a kernel that run.py launches with the driver's interface.
// The driver (for PTX) or ptxas knows malloc and free as calls of the system's.
#include "sizes.h"
#include <gpuintrin.h>
#include <stddef.h>
#include <stdint.h>

void *malloc(size_t);
void free(void *);

static int pair(size_t size) {
  char *volatile block = malloc(size);
  if (!block)
    return 1;
  block[size - 1] = 1;
  free(block);
  return 0;
}

static void pairs_of(uint64_t size, uint32_t count, uint64_t *results, int mixed) {
  const uint32_t me = __gpu_thread_id_x() + __gpu_num_threads_x() * __gpu_block_id_x();
  uint32_t failed = (uint32_t)pair(size);
  __scoped_atomic_fetch_min(&results[0], __builtin_readsteadycounter(), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  for (uint32_t i = 0; i < count; ++i)
    failed += (uint32_t)pair(mixed ? mixed_size(me, i, size) : size);
  __scoped_atomic_fetch_max(&results[1], __builtin_readsteadycounter(), __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  if (failed)
    __scoped_atomic_fetch_add(&results[2], failed, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}

// results: first and last nanosecond, allocations that failed.
__gpu_kernel void pairs(uint64_t size, uint32_t count, uint64_t *results) { pairs_of(size, count, results, 0); }
__gpu_kernel void mixed(uint64_t size, uint32_t count, uint64_t *results) { pairs_of(size, count, results, 1); }

// Takes objects until there are no more; results[0]: how many there were.
__gpu_kernel void fill(uint64_t size, uint32_t count, uint64_t *results) {
  uint64_t got = 0;
  while (malloc(size))
    ++got;
  __scoped_atomic_fetch_add(&results[0], got, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
