// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/sys/timerfd.h - Timers as files ---------*- C -*-===*/
#ifndef GPUEXEC_SYS_TIMERFD_H
#define GPUEXEC_SYS_TIMERFD_H

#include <time.h>

#define TFD_CLOEXEC 02000000
#define TFD_NONBLOCK 04000
#define TFD_TIMER_ABSTIME 1
#define TFD_TIMER_CANCEL_ON_SET 2

#ifdef __cplusplus
extern "C" {
#endif
/* A timer of the host's kernel: read() waits for it and gives the number of
   times that it has expired (8 bytes). Of CLOCK_REALTIME, CLOCK_MONOTONIC or
   CLOCK_BOOTTIME. An absolute time of the latter two is the host's: the clocks
   of the same name in this program may show another. */
int timerfd_create(clockid_t, int);
int timerfd_settime(int, int, const struct itimerspec *, struct itimerspec *);
int timerfd_gettime(int, struct itimerspec *);
#ifdef __cplusplus
}
#endif
#endif
