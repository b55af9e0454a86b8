/*===-- libc-shim/include/time.h - newlib's and additions ---------*- C -*-===*/
#ifndef GPUEXEC_TIME_H
#define GPUEXEC_TIME_H

#include_next <time.h>

#define TIME_UTC 1
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
time_t timelocal(struct tm *);
extern char *tzname[2];
extern long timezone;
extern int daylight;
#ifdef __cplusplus
}
#endif
#endif
