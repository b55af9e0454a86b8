//===-- offload/blas/run/clock.h - Seconds --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_CLOCK_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_CLOCK_H

#include <time.h>

/// Seconds of a clock that only goes forward.
static inline double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
