//===-- services/blas/host/times.h - Where the time of a call goes -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The service's argument `times` has it sum up the clock's values at each point
// of a call on the GPU, as services/blas/device/times.h does on the device: the
// difference of two sums, divided by the calls, is the mean time between the
// points.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_HOST_TIMES_H
#define GPUEXEC_SERVICES_BLAS_HOST_TIMES_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum {
  TIME_ASKED,   ///< the service has the request
  TIME_CHECKED, ///< arguments and addresses are checked
  TIME_STARTED, ///< cuBLAS has launched its kernels
  TIME_ENDED,   ///< the stream has ended
  TIME_REPLIED, ///< the service gives the answer
  TIME_POINTS
};

typedef struct {
  int is_on;
  uint64_t sums[TIME_POINTS]; ///< nanoseconds
  uint64_t calls[TIME_POINTS];
} call_times;

/// Nanoseconds; 0 if no times are noted.
static inline uint64_t time_now(const call_times *times) {
  struct timespec now;
  if (!times->is_on)
    return 0;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void note_time_of(call_times *times, int point, uint64_t time) {
  if (!times->is_on)
    return;
  __atomic_fetch_add(&times->calls[point], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&times->sums[point], time, __ATOMIC_RELAXED);
}

static inline void note_time(call_times *times, int point) {
  note_time_of(times, point, time_now(times));
}

/// To standard error.
static inline void print_times(const call_times *times) {
  const uint64_t calls = times->calls[TIME_REPLIED];
  if (!times->is_on || !calls)
    return;
  for (int i = 0; i < TIME_POINTS; ++i)
    if (times->calls[i] != calls) {
      fprintf(
          stderr, "gpuexec blas: %llu calls passed point %d, %llu the end\n",
          (unsigned long long)times->calls[i], i, (unsigned long long)calls);
      return;
    }
  const char *const names[] = {"check", "start", "wait", "reply"};
  fprintf(stderr,
          "gpuexec blas: %llu calls, us of each:", (unsigned long long)calls);
  for (int i = 1; i < TIME_POINTS; ++i)
    fprintf(stderr, " %s %.2f", names[i - 1],
            (double)(int64_t)(times->sums[i] - times->sums[i - 1]) / 1e3 /
                (double)calls);
  fprintf(stderr, "\n");
}

#endif
