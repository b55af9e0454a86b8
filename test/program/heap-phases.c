// Phases that each hold two thirds of the heap in objects of another size: what one frees serves the next, whichever
// class of sizes it was cut for. Then all that one thread's objects leave in the heap is found by the others.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --heap-size 64M --threads 256 %t | FileCheck %s
// RUN: %run --heap-size 64M --threads 64 --blocks 4 %t alone | FileCheck %s
// CHECK: 700: ok
// CHECK-NEXT: 3000: ok
// CHECK-NEXT: 20000: ok
// CHECK-NEXT: 250000: ok
// CHECK-NEXT: 5000: ok
// CHECK-NEXT: 300: ok
#include "../Inputs/expect.h"
#include <stdint.h>
#include <stdlib.h>

enum { HELD = 42 << 20 };
static uint32_t failed;

static void phase(size_t size, uint32_t thread, uint32_t threads) {
  size_t count = HELD / size, mine = 0;
  uint32_t **first = NULL;
  for (size_t i = thread; i < count; i += threads) {
    uint32_t **block = malloc(size);
    if (!EXPECT(block, "object %zu of %zu bytes", i, size)) {
      __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
      break;
    }
    *block = (uint32_t *)first;
    ((uint32_t *)block)[size / 4 - 1] = (uint32_t)i;
    first = block;
    mine = i;
  }
  for (size_t i = mine; first; i -= threads) {
    uint32_t **next = (uint32_t **)*first;
    if (!EXPECT(((uint32_t *)first)[size / 4 - 1] == (uint32_t)i, "object %zu of %zu bytes", i, size))
      __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
    free(first);
    first = next;
  }
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {700, 3000, 20000, 250000, 5000, 300};
  uint32_t thread = __gpu_thread_id_x(), threads = __gpu_num_threads_x();
  const int alone = argc > 1;
  if (alone && (thread || __gpu_block_id_x()))
    return 0;
  for (int i = 0; i < 6; ++i) {
    phase(sizes[i], thread, alone ? 1 : threads);
    if (!alone)
      __gpu_sync_threads();
    if (!thread)
      printf("%zu: %s\n", sizes[i], failed ? "failed" : "ok");
  }
  return failed != 0;
}
