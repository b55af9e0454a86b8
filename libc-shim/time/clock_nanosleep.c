//===-- libc-shim/time/clock_nanosleep.c - Sleeps until a time ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/interruption.h"
#include "libc-shim/device/normal_time.h"
#include <errno.h>
#include <gpuintrin.h>
#include <sched.h>
#include <time.h>

/// Returns 0 or an errno value. A relative time is the same for all clocks.
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                    struct timespec *left) {
  if (clock < CLOCK_REALTIME || clock > CLOCK_BOOTTIME ||
      clock == CLOCK_THREAD_CPUTIME_ID)
    return EINVAL;
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC &&
      clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_BOOTTIME)
    return ENOTSUP;
  if (wanted->tv_sec < 0 || wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999)
    return EINVAL;
  struct timespec span = *wanted, now;
  if (flags & TIMER_ABSTIME) {
    if (clock_gettime(clock, &now))
      return errno;
    span = normal_time(span.tv_sec - now.tv_sec, span.tv_nsec - now.tv_nsec);
    if (span.tv_sec < 0)
      return 0;
    left = NULL;
  }
  const int before = errno;
  const int error = nanosleep(&span, left) ? errno : 0;
  errno = before;
  return error;
}

int sched_yield(void) {
  act_on_cancel_at_once(look_for_interruption());
  __gpu_thread_suspend();
  return 0;
}
