// 4096 threads allocate, fill, resize, check and free blocks of mixed sizes at once; nothing overlaps.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads 256 --blocks 16 %t 2>&1 | FileCheck %s --allow-empty
// RUN: %run --threads 64 %t 20 2>&1 | FileCheck %s --allow-empty
// RUN: %run %t 200 2>&1 | FileCheck %s --allow-empty
// CHECK-NOT: {{.}}
#include <gpuintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { SLOTS = 8 };

static uint32_t random_state(uint32_t *state) { return *state = *state * 1664525u + 1013904223u; }

static void fill(unsigned char *p, size_t size, uint32_t seed) {
  for (size_t i = 0; i < size; i++)
    p[i] = (unsigned char)(seed + i * 7);
}

static int wrong(const unsigned char *p, size_t size, uint32_t seed) {
  for (size_t i = 0; i < size; i++)
    if (p[i] != (unsigned char)(seed + i * 7))
      return 1;
  return 0;
}

int main(int argc, char **argv) {
  uint32_t me = __gpu_block_id(0) * __gpu_num_threads(0) + __gpu_thread_id(0), state = me * 2654435761u + 1;
  unsigned char *slot[SLOTS] = {0};
  size_t size[SLOTS] = {0};
  int rounds = argc > 1 ? atoi(argv[1]) : 4, bad = 0;
  for (int round = 0; round < rounds * SLOTS; round++) {
    unsigned i = random_state(&state) >> 16 & (SLOTS - 1);
    uint32_t seed = me * 31 + i;
    size_t want = 1 + (random_state(&state) >> 8) % (round % 16 ? 200 : 5000);
    if (!slot[i]) {
      slot[i] = malloc(want);
      size[i] = want;
      if (!slot[i] || (uintptr_t)slot[i] % 16)
        return printf("thread %u: malloc(%zu) = %p\n", me, want, (void *)slot[i]), 1;
      fill(slot[i], want, seed);
    } else if (round % 3) {
      bad |= wrong(slot[i], size[i], seed);
      free(slot[i]);
      slot[i] = 0;
    } else {
      size_t kept = want < size[i] ? want : size[i];
      slot[i] = realloc(slot[i], want);
      size[i] = want;
      if (!slot[i])
        return printf("thread %u: realloc to %zu failed\n", me, want), 1;
      bad |= wrong(slot[i], kept, seed);
      fill(slot[i], want, seed);
    }
  }
  for (int i = 0; i < SLOTS; i++) {
    if (slot[i])
      bad |= wrong(slot[i], size[i], me * 31 + i);
    free(slot[i]);
  }
  unsigned char *zero = calloc(17, 3);
  for (int i = 0; i < 51; i++)
    bad |= zero[i];
  free(zero);
  if (bad)
    printf("thread %u: memory was overwritten\n", me);
  return bad;
}
