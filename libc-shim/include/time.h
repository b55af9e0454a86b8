// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/time.h - newlib's and additions ---------*- C -*-===*/
#ifndef GPUEXEC_TIME_H
#define GPUEXEC_TIME_H

/* With _POSIX_TIMERS newlib's header includes <signal.h>, whose names glibc
   leaves to the program. A program's own <signal.h> (gnulib's) would count it
   as read. */
#include <newlib.h>
#undef _POSIX_TIMERS
#include_next <time.h>
#define _POSIX_TIMERS 1

#include <gpuexec/unavailable.h>
#include <sys/timespec.h>

#define TIME_UTC 1
#undef TIMER_ABSTIME
#define TIMER_ABSTIME 1
#undef CLK_TCK
/* Linux's numbers. newlib has others, and some for names that Linux lacks. */
#undef CLOCK_REALTIME
#undef CLOCK_MONOTONIC
#undef CLOCK_PROCESS_CPUTIME_ID
#undef CLOCK_THREAD_CPUTIME_ID
#undef CLOCK_MONOTONIC_RAW
#undef CLOCK_REALTIME_COARSE
#undef CLOCK_MONOTONIC_COARSE
#undef CLOCK_BOOTTIME
#undef CLOCK_REALTIME_ALARM
#undef CLOCK_BOOTTIME_ALARM
#define CLOCK_REALTIME ((clockid_t)0)
#define CLOCK_MONOTONIC ((clockid_t)1)
#define CLOCK_PROCESS_CPUTIME_ID ((clockid_t)2)
#define CLOCK_THREAD_CPUTIME_ID ((clockid_t)3)
#define CLOCK_MONOTONIC_RAW ((clockid_t)4)
#define CLOCK_REALTIME_COARSE ((clockid_t)5)
#define CLOCK_MONOTONIC_COARSE ((clockid_t)6)
#define CLOCK_BOOTTIME ((clockid_t)7)

#ifdef __cplusplus
extern "C" {
#endif
/* EPERM: the machine's clock is not the program's to set. EINVAL for other
   clocks. */
int clock_settime(clockid_t, const struct timespec *);
/* The processor time of the process that serves the calls of the program: its
   own number or 0. An errno value: ESRCH, or EPERM for another process. */
int clock_getcpuclockid(pid_t, clockid_t *);
int clock_gettime(clockid_t, struct timespec *);
int clock_getres(clockid_t, struct timespec *);
int nanosleep(const struct timespec *, struct timespec *);
int timespec_get(struct timespec *, int);
#if __GNU_VISIBLE || __STDC_VERSION__ > 201710L
/* The resolution of timespec_get()'s clock, unless null; returns the base, 0
   for one that there is not. */
int timespec_getres(struct timespec *, int);
#endif
#if __MISC_VISIBLE
int dysize(int); /* the days of a year */
#endif
time_t timegm(struct tm *);
/* An errno value: EINTR, EINVAL for no time or CLOCK_THREAD_CPUTIME_ID, ENOTSUP
   for a clock that nobody can wait for. */
int clock_nanosleep(clockid_t, int, const struct timespec *,
                    struct timespec *);
time_t timelocal(struct tm *);
/* POSIX's timers. A timer is looked at where threads wait, and when a POSIX call
 * of the host returns: then its signal is sent, or (SIGEV_THREAD) a thread calls
 * its function. EAGAIN: 64 timers exist; ENOTSUP: a clock without timers. */
struct sigevent;
int timer_create(clockid_t, struct sigevent *__restrict, timer_t *__restrict);
int timer_settime(timer_t, int, const struct itimerspec *__restrict,
                  struct itimerspec *__restrict);
int timer_gettime(timer_t, struct itimerspec *);
int timer_getoverrun(timer_t);
int timer_delete(timer_t);
extern char *tzname[2];
extern long timezone;
extern int daylight;
#ifdef __cplusplus
}
#endif
#endif
