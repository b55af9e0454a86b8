// More memory than any device maps ahead (512 MiB on NVIDIA's GPUs), without --heap-size: one object of 700 MiB, whose
// every 2 MiB boundary is written to a file and read back across, then 4096 threads with 256 KiB each at a time.
// Our libcuda has no cuMemAddressReserve() and its like: the heap of an emulated NVIDIA GPU has one size.
// UNSUPPORTED: emulated-nvptx
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run %t one | FileCheck %s --check-prefix=ONE
// RUN: %run --threads 256 --blocks 16 %t | FileCheck %s --check-prefix=MANY
// ONE: 700 MiB: 349 boundaries, 0 wrong
// MANY: 4096 threads, 0 without memory, 0 wrong
#include <gpuintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEP = 2 << 20, AROUND = 24 << 10, EACH = 256 << 10 };

static int one(void) {
  const size_t size = (size_t)350 * STEP;
  unsigned char *object = malloc(size);
  FILE *file = tmpfile();
  if (!object || !file)
    return 1;
  unsigned boundaries = 0, wrong = 0;
  for (size_t at = STEP; at < size; at += STEP, boundaries++) {
    unsigned char *here = object + at - AROUND / 2;
    for (size_t i = 0; i < AROUND; i += 512)
      here[i] = (unsigned char)(at / STEP + i / 512);
    wrong += fwrite(here, 1, AROUND, file) != AROUND;
  }
  rewind(file);
  for (size_t at = STEP; at < size; at += STEP) {
    // Read into the boundary's own place, then compare with what was there.
    unsigned char *here = object + at - AROUND / 2;
    memset(here, 0, AROUND);
    wrong += fread(here, 1, AROUND, file) != AROUND;
    for (size_t i = 0; i < AROUND; i += 512)
      wrong += here[i] != (unsigned char)(at / STEP + i / 512);
  }
  printf("%zu MiB: %u boundaries, %u wrong\n", size >> 20, boundaries, wrong);
  fclose(file);
  free(object);
  return 0;
}

static uint32_t arrived, without, wrong, ended;

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1)
    return one();
  const uint32_t thread = __gpu_block_id_x() * __gpu_num_threads_x() + __gpu_thread_id_x();
  const uint32_t threads = __gpu_num_blocks_x() * __gpu_num_threads_x();
  uint32_t *object = malloc(EACH);
  if (!object)
    __atomic_fetch_add(&without, 1, __ATOMIC_RELAXED);
  for (size_t i = 0; object && i < EACH / 4; i += 16 << 10)
    object[i] = thread + (uint32_t)i;
  // Nobody frees before everybody has: 1 GiB at one time.
  __atomic_fetch_add(&arrived, 1, __ATOMIC_RELAXED);
  while (__atomic_load_n(&arrived, __ATOMIC_RELAXED) < threads)
    ;
  for (size_t i = 0; object && i < EACH / 4; i += 16 << 10)
    if (object[i] != thread + (uint32_t)i)
      __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
  free(object);
  if (__atomic_add_fetch(&ended, 1, __ATOMIC_ACQ_REL) == threads)
    printf("%u threads, %u without memory, %u wrong\n", threads, __atomic_load_n(&without, __ATOMIC_RELAXED),
           __atomic_load_n(&wrong, __ATOMIC_RELAXED));
  return 0;
}
