//===-- libc-shim/posix/process_times.c - times() -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU does not measure processor time: as in clock(), all time that passes
// counts as the program's.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

clock_t times(struct tms *to) {
  const clock_t ticks_per_second = sysconf(_SC_CLK_TCK);
  struct timespec now;
  if (clock_gettime(CLOCK_MONOTONIC, &now))
    return -1;
  if (to)
    *to = (struct tms){
        .tms_utime = (clock_t)(clock() / (CLOCKS_PER_SEC / ticks_per_second))};
  return (clock_t)(now.tv_sec * ticks_per_second +
                   now.tv_nsec / (1000000000 / ticks_per_second));
}
