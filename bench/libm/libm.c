// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of one function of <math.h>, for the speed of the C library's and of libclc's (compiled with libclc.h before it).
//   libm                    every function: processor cycles per call of a wave, as the device counts them
//   libm FUNCTION CALLS     calls one, by its number in accuracy.def, and prints nothing: for `gpuexec --stats-json`
#include "test/libc/inputs/accuracy.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static volatile double sink;

// Arguments evenly over the function's range; a lane's own, so that lanes take different ways through the function.
#define SPREAD(low, high, i, many) ((low) + ((high) - (low)) * (((i) % (many) + 0.37) / (many)))

#define D1(name, low, high, limit)                                                                                     \
  static double call_##name(int lane, int calls) {                                                                     \
    double sum = 0;                                                                                                    \
    for (int i = 0; i < calls; ++i)                                                                                    \
      sum += name(SPREAD(low, high, i * 37 + lane * 11, 997));                                                         \
    return sum;                                                                                                        \
  }
#define F1(name, low, high, limit)                                                                                     \
  static double call_##name(int lane, int calls) {                                                                     \
    float sum = 0;                                                                                                     \
    for (int i = 0; i < calls; ++i)                                                                                    \
      sum += name((float)SPREAD(low, high, i * 37 + lane * 11, 997));                                                  \
    return sum;                                                                                                        \
  }
#define D2(name, low, high, low2, high2, limit)                                                                        \
  static double call_##name(int lane, int calls) {                                                                     \
    double sum = 0;                                                                                                    \
    for (int i = 0; i < calls; ++i)                                                                                    \
      sum += name(SPREAD(low, high, i * 37 + lane * 11, 997), SPREAD(low2, high2, i * 41 + lane * 17, 991));           \
    return sum;                                                                                                        \
  }
#define F2(name, low, high, low2, high2, limit)                                                                        \
  static double call_##name(int lane, int calls) {                                                                     \
    float sum = 0;                                                                                                     \
    for (int i = 0; i < calls; ++i)                                                                                    \
      sum += name((float)SPREAD(low, high, i * 37 + lane * 11, 997),                                                   \
                  (float)SPREAD(low2, high2, i * 41 + lane * 17, 991));                                                \
    return sum;                                                                                                        \
  }
#include "test/libc/inputs/accuracy.def"

static const struct {
  const char *name;
  double (*call)(int, int);
} functions[] = {
#define D1(name, ...) {#name, call_##name},
#define F1(name, ...) {#name, call_##name},
#define D2(name, ...) {#name, call_##name},
#define F2(name, ...) {#name, call_##name},
#include "test/libc/inputs/accuracy.def"
};

int main(int argc, char **argv) {
  static int lanes;
  const int lane = __atomic_fetch_add(&lanes, 1, __ATOMIC_RELAXED);
  if (argc > 2) {
    sink = functions[atoi(argv[1])].call(lane, atoi(argv[2]));
    return 0;
  }
  enum { CALLS = 200 };
  for (unsigned i = 0; i < sizeof functions / sizeof *functions; ++i) {
    sink = functions[i].call(lane, 2);
    const unsigned long begin = __builtin_readcyclecounter();
    sink = functions[i].call(lane, CALLS);
    const unsigned long cycles = __builtin_readcyclecounter() - begin;
    if (lane == 0)
      printf("%s %lu\n", functions[i].name, cycles / CALLS);
  }
  return 0;
}
