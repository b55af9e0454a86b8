// Alignment of objects that are large enough for a colour, and where those of a wave begin.
// RUN: %gpucc %lanes -O2 -fno-builtin %s -o %t
// RUN: %run --threads 32 %t | FileCheck %s
// RUN: env GPUEXEC_HEAP=check %run --threads 32 %t | FileCheck %s --check-prefix=GUARDED
// CHECK: 2944 objects, 0 wrong
// CHECK-NEXT: 0 of the large ones begin inside of a line of 128 bytes
// CHECK-NEXT: 4096: spread
// CHECK-NEXT: 65536: spread
// CHECK-NEXT: 73728: spread
// CHECK-NEXT: 1048576: spread
// GUARDED: 2944 objects, 0 wrong
#include <gpuintrin.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const size_t sizes[] = {1, 16, 100, 1000, 3000, 3585, 4000, 4096, 5000, 8192, 40000, 65536, 100000, 500000, 520000, 600000};
enum { SIZES = sizeof sizes / sizeof sizes[0], THREADS = 32 };
static uint32_t wrong, objects, arrived[8];
static uintptr_t begins[4][THREADS];

static void wait_for_all(uint32_t round) {
  __atomic_fetch_add(&arrived[round], 1, __ATOMIC_ACQ_REL);
  while (__atomic_load_n(&arrived[round], __ATOMIC_ACQUIRE) < THREADS)
    ;
}

static int filled(const unsigned char *object, size_t size, int byte) {
  for (size_t i = 0; i < size; i += size > 300 ? 97 : 1)
    if (object[i] != byte)
      return 0;
  return !size || object[size - 1] == byte;
}

int main(void) {
  const uint32_t thread = __gpu_thread_id_x();
  uint32_t bad = 0, count = 0;
  for (unsigned k = 0; k < SIZES; k++) {
    for (size_t alignment = 32; alignment <= 4096; alignment *= 2) {
      if (thread % 4 && sizes[k] > 8192)
        continue; // enough
      unsigned char *object = aligned_alloc(alignment, sizes[k]);
      count++;
      if (!object || (uintptr_t)object % alignment || malloc_usable_size(object) < sizes[k]) {
        bad++;
        continue;
      }
      memset(object, (int)(thread + 1), sizes[k]);
      if (!filled(object, sizes[k], (int)(thread + 1)))
        bad++;
      unsigned char *moved = realloc(object, sizes[k] * 3 / 2 + alignment);
      if (!moved || !filled(moved, sizes[k], (int)(thread + 1)))
        bad++;
      free(moved);
    }
  }
  __atomic_fetch_add(&wrong, bad, __ATOMIC_RELAXED);
  __atomic_fetch_add(&objects, count, __ATOMIC_RELAXED);
  static const size_t large[] = {4096, 65536, 73728, 1 << 20};
  void *kept[4];
  for (unsigned k = 0; k < 4; k++) {
    kept[k] = malloc(large[k]);
    begins[k][thread] = (uintptr_t)kept[k];
  }
  wait_for_all(0);
  if (thread == 0) {
    printf("%u objects, %u wrong\n", objects, wrong);
    unsigned inside = 0;
    for (unsigned k = 0; k < 4; k++)
      for (unsigned t = 0; t < THREADS; t++)
        inside += begins[k][t] % 128 != 0;
    printf("%u of the large ones begin inside of a line of 128 bytes\n", inside);
    for (unsigned k = 0; k < 4; k++) {
      uint64_t sets = 0; // of 64 bytes, in a cache whose ways are pages
      for (unsigned t = 0; t < THREADS; t++)
        sets |= 1ull << begins[k][t] / 64 % 64;
      const unsigned different = (unsigned)__builtin_popcountll(sets);
      printf("%zu: %s (%u sets)\n", large[k], different >= 12 ? "spread" : "together", different);
    }
  }
  wait_for_all(1);
  for (unsigned k = 0; k < 4; k++)
    free(kept[k]);
  return 0;
}
