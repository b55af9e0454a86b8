//===-- services/blas/device/times.h - Where the time of a call goes -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For bench/blas --times, which compiles the device's part of BLAS with
// BLAS_TIMES. Of each point of a call the clock's values are summed: the
// difference of two sums, divided by the calls, is the mean time between the
// points. Empty otherwise.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_DEVICE_TIMES_H
#define GPUEXEC_SERVICES_BLAS_DEVICE_TIMES_H

#include <stdint.h>

enum {
  BLAS_BEGUN,    ///< arguments are checked; the request is built
  BLAS_BUILT,    ///< the request is built; it is sent
  BLAS_SENT,     ///< the last store of the request has been issued
  BLAS_ANSWERED, ///< the answer has been seen
  BLAS_ENDED,    ///< the function returns
  BLAS_POINTS
};

#ifdef BLAS_TIMES
extern uint64_t blas_times[BLAS_POINTS];
/// Ticks of the device's clock.
static inline uint64_t blas_time_now(void) {
#ifdef __NVPTX__
  uint64_t now;
  __asm__ volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
  return now;
#else
  return __builtin_readcyclecounter();
#endif
}

/// An atomic addition whose result nobody waits for.
static inline void blas_note_time(int point) {
  (void)__scoped_atomic_fetch_add(&blas_times[point], blas_time_now(),
                                  __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
}
#define BLAS_TIME(POINT) blas_note_time(POINT)
#else
#define BLAS_TIME(POINT) ((void)0)
#endif

#endif
