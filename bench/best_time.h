//===-- bench/best_time.h - How long a call takes --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_BENCH_BEST_TIME_H
#define GPUEXEC_BENCH_BEST_TIME_H

#include <time.h>

static inline double microseconds_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

/// The least microseconds of a call in rounds of a tenth of a second or so; of
/// long calls there are fewer. `call` returns 0, or else it has failed: then
/// the result is negative. The first call does not count, unless it takes over
/// a second: then there is no other.
static inline double best_microseconds(int (*call)(void *), void *context) {
  double begin = microseconds_now();
  if (call(context))
    return -1;
  const double first = microseconds_now() - begin;
  if (first > 1e6)
    return first;
  begin = microseconds_now();
  if (call(context))
    return -1;
  const double once = microseconds_now() - begin;
  const int repeats = once < 1e5 ? (int)(1e5 / (once + 1)) + 1 : 1;
  const int rounds = once < 3e5 ? 5 : 1;
  double best = once;
  for (int round = 0; round < rounds; ++round) {
    begin = microseconds_now();
    for (int i = 0; i < repeats; ++i)
      if (call(context))
        return -1;
    const double time = (microseconds_now() - begin) / repeats;
    best = time < best ? time : best;
  }
  return best;
}

#endif
