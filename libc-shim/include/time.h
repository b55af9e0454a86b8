/*===-- libc-shim/include/time.h - newlib's and additions ---------*- C -*-===*/
#ifndef GPUEXEC_TIME_H
#define GPUEXEC_TIME_H

/* newlib includes <signal.h>, whose names glibc leaves to the program. */
#ifndef GPUEXEC_SIGNAL_H
#define GPUEXEC_SIGNAL_H
#include_next <time.h>
#undef GPUEXEC_SIGNAL_H
#else
#include_next <time.h>
#endif

#define TIME_UTC 1
#undef TIMER_ABSTIME
#define TIMER_ABSTIME 1
#undef CLK_TCK
/* Linux's numbers. */
#undef CLOCK_REALTIME
#undef CLOCK_MONOTONIC
#undef CLOCK_PROCESS_CPUTIME_ID
#define CLOCK_REALTIME ((clockid_t)0)
#define CLOCK_MONOTONIC ((clockid_t)1)
#define CLOCK_PROCESS_CPUTIME_ID ((clockid_t)2)

#ifdef __cplusplus
extern "C" {
#endif
int timespec_get(struct timespec *, int);
time_t timegm(struct tm *);
int clock_nanosleep(clockid_t, int, const struct timespec *,
                    struct timespec *);
time_t timelocal(struct tm *);
extern char *tzname[2];
extern long timezone;
extern int daylight;
#ifdef __cplusplus
}
#endif
#endif
