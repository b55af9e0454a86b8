//===-- libc-shim/time/ftime.c - The time of day, in milliseconds ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <sys/time.h>
#include <sys/timeb.h>

int ftime(struct timeb *to) {
  struct timeval now;
  if (gettimeofday(&now, NULL))
    return -1;
  *to = (struct timeb){.time = now.tv_sec,
                       .millitm = (unsigned short)(now.tv_usec / 1000)};
  return 0;
}
