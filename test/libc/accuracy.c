// math.h against MPFR: the largest error of each function over hard and random arguments, in units of the last place.
// The device computes, 64 threads at a time; the host's MPFR judges (Inputs/accuracy_judge.c, which has the limits).
// RUN: %hostcc -I%source/test/libc %source/test/libc/inputs/accuracy_judge.c -o %t.judge -lmpfr -lgmp -lm
// RUN: %gpucc %lanes -O2 %s -o %t -lm
// RUN: %run --threads 64 %t 120 > %t.results
// RUN: %t.judge < %t.results
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "inputs/accuracy.h"

static uint64_t next(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

// A number in [low, high], its magnitude spread evenly over the exponents where the range allows it.
static double pick(uint64_t *state, double low, double high) {
  double fraction = (double)(next(state) >> 11) / 9007199254740992.0;
  if (next(state) & 1)
    return low + (high - low) * fraction;
  double most = fmax(fabs(low), fabs(high));
  double value = ldexp(most, -(int)(next(state) % 40)) * fraction;
  if (low < 0 && next(state) & 1)
    value = -value;
  return value < low ? low : value > high ? high : value;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 100;
  static unsigned next_thread;
  unsigned thread = __atomic_fetch_add(&next_thread, 1, __ATOMIC_RELAXED);
  uint64_t state = 0x9e3779b97f4a7c15u * (thread + 1);
  struct accuracy_record records[FUNCTIONS];
  for (int i = 0; i < count; ++i) {
    int used = 0;
#define D1(name, low, high, limit)                                                                                     \
  {                                                                                                                    \
    double x = pick(&state, low, high);                                                                                \
    records[used] = (struct accuracy_record){used, 0, x, 0, name(x)};                                                  \
    ++used;                                                                                                            \
  }
#define F1(name, low, high, limit)                                                                                     \
  {                                                                                                                    \
    float x = (float)pick(&state, low, high);                                                                          \
    records[used] = (struct accuracy_record){used, 0, x, 0, name(x)};                                                  \
    ++used;                                                                                                            \
  }
#define D2(name, low, high, low2, high2, limit)                                                                        \
  {                                                                                                                    \
    double x = pick(&state, low, high), y = pick(&state, low2, high2);                                                 \
    records[used] = (struct accuracy_record){used, 0, x, y, name(x, y)};                                               \
    ++used;                                                                                                            \
  }
#define F2(name, low, high, low2, high2, limit)                                                                        \
  {                                                                                                                    \
    float x = (float)pick(&state, low, high), y = (float)pick(&state, low2, high2);                                    \
    records[used] = (struct accuracy_record){used, 0, x, y, name(x, y)};                                               \
    ++used;                                                                                                            \
  }
#include "inputs/accuracy.def"
    fwrite(records, sizeof *records, used, stdout);
  }
  return 0;
}
