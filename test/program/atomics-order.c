// C11's atomics order what stands before and after them, in read-modify-writes too: messages that a flag announces arrive
// whole, a lock guards what is not atomic, and of two threads that each write one word and read the other's not both
// come first. Nobody waits for a thread that may not run yet.
// RUN: %gpucc %lanes -O2 %s -o %t
// RUN: %run --threads 64 --blocks 2 %t | FileCheck %s
// RUN: %run --threads 256 --blocks 32 %t | FileCheck %s
// RUN: %run --threads 512 %t | FileCheck %s
// RUN: %gpucc %lanes -O0 %s -o %t.plain
// RUN: %run --threads 64 --blocks 4 %t.plain | FileCheck %s
// CHECK: {{^}}messages: {{[0-9]+}} seen, 0 wrong
// CHECK-NEXT: guarded: 0 lost
// CHECK-NEXT: first: 0 of {{[0-9]+}} pairs both
#include <gpuintrin.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { PAIRS = 4096, WORDS = 96, TRIES = 16, LOCKS = 16, TURNS = 64 };

// A line of a cache holds many words of one message: who has read one has the next, of the time before, at hand.
static struct {
  atomic_int sent;
  int words[WORDS];
} messages[PAIRS];
static atomic_int seen, wrong;

static void send(unsigned pair) {
  for (int i = 1; i < WORDS; ++i) {
    messages[pair].words[i] = i;
    atomic_exchange_explicit(&messages[pair].sent, i, memory_order_release);
  }
}

static void receive(unsigned pair) {
  for (int i = 0; i < WORDS; ++i) {
    const int sent = atomic_fetch_add_explicit(&messages[pair].sent, 0, memory_order_acquire);
    for (int word = sent; word > 0 && word > sent - 4; --word) {
      atomic_fetch_add_explicit(&seen, 1, memory_order_relaxed);
      if (messages[pair].words[word] != word)
        atomic_fetch_add_explicit(&wrong, 1, memory_order_relaxed);
    }
  }
}

static struct {
  atomic_int taken;
  unsigned count; // not atomic
} guarded[LOCKS];

static void count(unsigned lock) {
  while (atomic_exchange_explicit(&guarded[lock].taken, 1, memory_order_acquire))
    ;
  ++guarded[lock].count;
  atomic_fetch_and_explicit(&guarded[lock].taken, 0, memory_order_release);
}

static struct {
  atomic_int word[2];
  int other[2];
} first[PAIRS][TRIES];

static void come_first(unsigned pair, int side) {
  for (int i = 0; i < TRIES; ++i) {
    atomic_exchange(&first[pair][i].word[side], 1);
    first[pair][i].other[side] = atomic_fetch_or(&first[pair][i].word[!side], 0);
  }
}

static atomic_uint finished;

int main(void) {
  const unsigned lanes = __gpu_num_lanes(), thread = __gpu_thread_id_x(), threads = __gpu_num_threads_x();
  const unsigned all = threads * __gpu_num_blocks_x(), wave = (__gpu_block_id_x() * threads + thread) / lanes;
  // The sides are blocks, or in a grid of one block waves.
  const unsigned of_side = __gpu_num_blocks_x() > 1 ? threads : lanes, number = wave * lanes + __gpu_lane_id();
  const unsigned pair = number / of_side / 2 * of_side + number % of_side, pairs = all / 2;
  const int side = number / of_side % 2;
  side ? receive(pair) : send(pair);
  // One lane of a wave: where lanes run in lockstep, one that waited for its neighbour would never let it run.
  for (unsigned i = 0; i < TURNS && !__gpu_lane_id(); ++i)
    count((wave + i) % LOCKS);
  come_first(pair, side);
  if (atomic_fetch_add_explicit(&finished, 1, memory_order_acq_rel) + 1 != all)
    return 0;
  unsigned counted = 0, both = 0;
  for (int i = 0; i < LOCKS; ++i)
    counted += guarded[i].count;
  for (unsigned i = 0; i < pairs; ++i)
    for (int j = 0; j < TRIES; ++j)
      both += !first[i][j].other[0] && !first[i][j].other[1];
  printf("messages: %d seen, %d wrong\n", atomic_load(&seen), atomic_load(&wrong));
  printf("guarded: %u lost\n", all / lanes * TURNS - counted);
  printf("first: %u of %u pairs both\n", both, pairs * TRIES);
  return 0;
}
