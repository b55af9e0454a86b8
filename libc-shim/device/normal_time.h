//===-- libc-shim/device/normal_time.h - Sums of times --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_NORMAL_TIME_H
#define GPUEXEC_LIBC_NORMAL_TIME_H

#include <time.h>

/// The time of so many seconds and nanoseconds together, of which tv_nsec is 0
/// to 999 999 999. Both may be sums or differences.
static inline struct timespec normal_time(time_t seconds, long nanoseconds) {
  const long SECOND = 1000000000;
  long rest = nanoseconds % SECOND;
  seconds += nanoseconds / SECOND;
  if (rest < 0) {
    rest += SECOND;
    --seconds;
  }
  return (struct timespec){.tv_sec = seconds, .tv_nsec = rest};
}

#endif
