/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===-- emulator/ptx/device/heap.c - malloc and free ----------------------===//
 * Blocks are powers of two. Each size has a list of free blocks, from which
 * threads take without a lock; new blocks come from the end of the region. A
 * block begins with 16 bytes: its size's number, or, while it is free, the next
 * free one.
 *===----------------------------------------------------------------------===*/
#include "emulator/ptx/device/records.h"

#define HEADER 16
#define OFFSET_MASK (((uint64_t)1 << 40) - 1)

static uint64_t load(uint64_t *word) {
  return __scoped_atomic_load_n(word, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
}

static int exchange(uint64_t *word, uint64_t *expected, uint64_t wanted) {
  return __scoped_atomic_compare_exchange_n(word, expected, wanted, 0,
                                            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE,
                                            __MEMORY_SCOPE_DEVICE);
}

/* The number of the size of 32 << n bytes that holds these and the header. */
static uint32_t class_of(uint64_t bytes) {
  uint32_t n = 0;
  while (((uint64_t)32 << n) < bytes + HEADER)
    ++n;
  return n;
}

static uint64_t take_free(struct gpuexec_cuda_client *client, uint32_t n) {
  uint64_t head = load(&client->heap_free[n]);
  while (head & OFFSET_MASK) {
    const uint64_t block = client->heap + (head & OFFSET_MASK) - 1;
    const uint64_t next = load((uint64_t *)(block + 8));
    const uint64_t count = (head & ~OFFSET_MASK) + OFFSET_MASK + 1;
    if (exchange(&client->heap_free[n], &head, count | (next & OFFSET_MASK)))
      return block;
  }
  return 0;
}

static uint64_t take_new(struct gpuexec_cuda_client *client, uint32_t n) {
  const uint64_t bytes = (uint64_t)32 << n;
  uint64_t top = load(&client->heap_top);
  while (top + bytes <= client->heap_bytes)
    if (exchange(&client->heap_top, &top, top + bytes))
      return client->heap + top;
  return 0;
}

uint64_t malloc(uint64_t bytes) {
  struct gpuexec_cuda_client *client = __gpuexec_cuda;
  if (!client || !client->heap || !bytes || bytes > client->heap_bytes)
    return 0;
  const uint32_t n = class_of(bytes);
  if (n >= GPUEXEC_CUDA_HEAP_CLASSES)
    return 0;
  uint64_t block = take_free(client, n);
  if (!block)
    block = take_new(client, n);
  if (!block)
    return 0;
  *(uint64_t *)block = n;
  return block + HEADER;
}

void free(uint64_t address) {
  struct gpuexec_cuda_client *client = __gpuexec_cuda;
  if (!client || !address || address - client->heap >= client->heap_bytes)
    return;
  const uint64_t block = address - HEADER;
  const uint64_t n = *(uint64_t *)block;
  if (n >= GPUEXEC_CUDA_HEAP_CLASSES)
    return;
  uint64_t head = load(&client->heap_free[n]);
  uint64_t wanted;
  do {
    __scoped_atomic_store_n((uint64_t *)(block + 8), head & OFFSET_MASK,
                            __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
    wanted = (head & ~OFFSET_MASK) + OFFSET_MASK + 1;
    wanted |= block - client->heap + 1;
  } while (!exchange(&client->heap_free[n], &head, wanted));
}
