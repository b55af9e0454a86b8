// Each lane jumps from its own depth, to its own place, its own number of times, while the others of its wave do not.
// RUN: %gpucc %lanes -O0 %s -o %t.0
// RUN: %gpucc %lanes -O2 %s -o %t.2
// RUN: %run --threads 64 %t.0 | FileCheck %s
// RUN: %run --threads 256 --blocks 16 %t.0 | FileCheck %s
// RUN: %run --threads 256 --blocks 16 %t.2 | FileCheck %s
// RUN: %run --threads 33 --blocks 5 %t.2 | FileCheck %s
// CHECK: {{64|165|4096}} threads, 0 wrong
#include "../Inputs/expect.h"
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static unsigned wrong, done;

__attribute__((noinline)) static int descend(int depth, int value, jmp_buf *where, int *levels) {
  int mine = depth * 3 + value;
  ++*levels;
  if (depth == 0) {
    if (value % 3)
      longjmp(where[value % 2], value);
    return value;
  }
  const int below = descend(depth - 1, value, where, levels);
  --*levels;
  return below + mine - mine;
}

static bool depths(int me) {
  jmp_buf where[2];
  int *levels = calloc(1, sizeof *levels);
  volatile int jumps = 0, returns = 0;
  volatile int round = 0;
  int first = setjmp(where[0]);
  if (first)
    jumps = jumps + first;
  int second = setjmp(where[1]);
  if (second)
    jumps = jumps + second;
  bool good = true;
  while (round < 10) {
    round = round + 1;
    *levels = 0;
    const int value = me % 7 + round;
    returns = returns + descend(me % 13, value, where, levels);
    good &= EXPECT(*levels == 1, "%d", *levels);
  }
  int expected_jumps = 0, expected_returns = 0;
  for (int i = 1; i <= 10; ++i)
    *((me % 7 + i) % 3 ? &expected_jumps : &expected_returns) += me % 7 + i;
  good &= EXPECT(jumps == expected_jumps, "%d, not %d", jumps, expected_jumps);
  good &= EXPECT(returns == expected_returns, "%d, not %d", returns, expected_returns);
  free(levels);
  return good;
}

// Jumps to one of several activations of a recursive function, by lane.
static bool levels(int level, int target, jmp_buf *places, int *reached) {
  volatile int copy = level * 10;
  const int value = setjmp(places[level]);
  if (value) {
    *reached = value;
    return EXPECT(level == target && copy == level * 10 && value == target + 1, "%d %d %d", level, copy, value);
  }
  if (level == 7)
    longjmp(places[target], target + 1);
  return levels(level + 1, target, places, reached);
}

static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static _Thread_local jmp_buf out;
static _Thread_local int left;
static int compare_and_jump(const void *a, const void *b) {
  if (!left--)
    longjmp(out, 1);
  return compare(a, b);
}

static bool sorts(int me) {
  int numbers[20];
  for (int i = 0; i < 20; ++i)
    numbers[i] = (i * 7 + me) % 20;
  left = me % 150;
  if (setjmp(out))
    qsort(numbers, 20, sizeof *numbers, compare);
  else
    qsort(numbers, 20, sizeof *numbers, compare_and_jump);
  bool good = true;
  for (int i = 0; i < 20; ++i)
    good &= numbers[i] == i || left < 0; // a sort that was left may have lost some
  return EXPECT(good, "%d", left);
}

int main(void) {
  const int me = (int)thread_of_the_grid();
  bool good = depths(me);
  jmp_buf *places = malloc(8 * sizeof *places);
  int reached = 0;
  good &= levels(0, me % 8, places, &reached);
  good &= EXPECT(reached == me % 8 + 1, "%d", reached);
  free(places);
  good &= sorts(me);
  __atomic_fetch_add(&wrong, !good, __ATOMIC_RELAXED);
  unsigned threads = __gpu_num_threads_x() * __gpu_num_blocks_x();
  if (__atomic_add_fetch(&done, 1, __ATOMIC_ACQ_REL) == threads)
    printf("%u threads, %u wrong\n", threads, wrong);
  return 0;
}
