// The heap of a kernel of one thread, which takes and gives back objects without atomics, beside that of many threads: objects do not
// overlap while thousands of all sizes come and go, slabs fill, empty and are used again, and what a constructor allocated alone many
// threads give back, and the other way round.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run %t | FileCheck %s
// RUN: %run --threads 64 --blocks 2 %t | FileCheck %s
// CHECK: 0 wrong bytes, 0 places lost
#include <gpuintrin.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { HELD = 1500, STEPS = 12000 };
static unsigned char *held[HELD];
static unsigned sizes[HELD];
static unsigned wrong, lost, arrived;

static unsigned next(unsigned *state) {
  *state ^= *state << 13;
  *state ^= *state >> 17;
  return *state ^= *state << 5;
}

static void check(unsigned place) {
  for (unsigned i = 0; i < sizes[place]; i += sizes[place] > 64 ? 61 : 1)
    if (held[place][i] != (unsigned char)(place + i))
      __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void fill(unsigned place, unsigned size) {
  held[place] = malloc(size);
  sizes[place] = size;
  if (!held[place]) {
    printf("no memory for %u bytes\n", size);
    exit(1);
  }
  for (unsigned i = 0; i < size; ++i)
    held[place][i] = (unsigned char)(place + i);
}

static void drop(unsigned place) {
  check(place);
  free(held[place]);
  held[place] = NULL;
}

// A kernel of its own, of one thread, also where main has many.
__attribute__((constructor)) static void begin(void) {
  unsigned state = 2463534242u;
  for (unsigned step = 0; step < STEPS; ++step) {
    // Most places are full for a while, then most are empty.
    const unsigned place = next(&state) % HELD, grows = step / 3000 % 2 == 0;
    if (held[place] && (!grows || next(&state) % 4 == 0))
      drop(place);
    else if (!held[place])
      fill(place, 1 + next(&state) % (16u << next(&state) % 8));
  }
}

int main(void) {
  const unsigned threads = __gpu_num_threads_x() * __gpu_num_blocks_x();
  const unsigned thread = __gpu_thread_id_x() + __gpu_block_id_x() * __gpu_num_threads_x();
  for (unsigned place = thread; place < HELD; place += threads)
    if (held[place])
      drop(place);
  for (unsigned place = thread; place < HELD; place += threads)
    fill(place, 1 + place % 700);
  if (__atomic_add_fetch(&arrived, 1, __ATOMIC_ACQ_REL) != threads)
    return 0;
  for (unsigned place = 0; place < HELD; ++place)
    if (held[place])
      check(place);
    else
      ++lost;
  printf("%u wrong bytes, %u places lost\n", wrong, lost);
  return wrong || lost;
}

// Again one thread.
__attribute__((destructor)) static void end(void) {
  for (unsigned place = 0; place < HELD; ++place)
    if (held[place])
      drop(place);
  if (wrong)
    abort();
}
