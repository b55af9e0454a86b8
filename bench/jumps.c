// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What setjmp and longjmp cost: a call that a jump may end beside the same call that none can, setjmp, and a jump through frames.
//   gpucc -O2 bench/jumps.c -o jumps && gpuexec jumps [CALLS]
// Prints nanoseconds, the least of five rounds.
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
static jmp_buf place;
static volatile unsigned never, sink;

NOINLINE static void other(void) { sink = never; }
NOINLINE static unsigned plain_leaf(unsigned x) {
  if (never)
    other();
  return x * 3;
}
NOINLINE static unsigned jumping_leaf(unsigned x) {
  if (never)
    longjmp(place, 1);
  return x * 3;
}
NOINLINE static unsigned plain(unsigned x) { return plain_leaf(x) + plain_leaf(x + 1); }
NOINLINE static unsigned jumping(unsigned x) { return jumping_leaf(x) + jumping_leaf(x + 1); }

NOINLINE static void only_setjmp(void) {
  jmp_buf here;
  if (setjmp(here))
    longjmp(here, 1);
  sink = never;
}
NOINLINE static unsigned descend(unsigned depth) {
  if (!depth)
    longjmp(place, 1);
  return descend(depth - 1) + never;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static double run(int what, unsigned calls) {
  const double start = now();
  unsigned sum = 0;
  switch (what) {
  case 0: for (unsigned i = 0; i < calls; ++i) sum += plain(i); break;
  case 1: for (unsigned i = 0; i < calls; ++i) sum += jumping(i); break;
  case 2: for (unsigned i = 0; i < calls; ++i) only_setjmp(); break;
  default:
    for (volatile unsigned i = 0; i < calls; ++i)
      if (!setjmp(place))
        descend(what == 3 ? 0 : 20);
  }
  sink = sum;
  return (now() - start) / calls;
}

int main(int argc, char **argv) {
  const unsigned calls = argc > 1 ? (unsigned)atoi(argv[1]) : 100000;
  static const char *const names[] = {"three calls", "three calls that may jump", "a function with setjmp",
                                      "setjmp, and a jump through 2 frames", "setjmp, and a jump through 22 frames"};
  for (int what = 0; what < 5; ++what) {
    double least = 1e300;
    for (int round = 0; round < 5; ++round) {
      const double time = run(what, calls);
      least = time < least ? time : least;
    }
    printf("%-40s %8.0f ns\n", names[what], least);
  }
  return 0;
}
