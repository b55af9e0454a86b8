//===-- libc-shim/time/other_clocks.c - Processes' clocks, setting one ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

/// Returns 0 or an errno value.
int clock_getcpuclockid(pid_t process, clockid_t *to) {
  if (process && process != getpid()) {
    const int before = errno;
    const bool exists = process > 0 && (!kill(process, 0) || errno != ESRCH);
    errno = before;
    return exists ? EPERM : ESRCH;
  }
  *to = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}

/// The machine's clock is not the program's to set.
int clock_settime(clockid_t clock, const struct timespec *to) {
  const bool is_time =
      to->tv_sec >= 0 && to->tv_nsec >= 0 && to->tv_nsec < 1000000000;
  errno = clock == CLOCK_REALTIME && is_time ? EPERM : EINVAL;
  return -1;
}
