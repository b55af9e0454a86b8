/*===-- libc-shim/include/time.h - newlib's, and what C11 added ---*- C -*-===*/
#ifndef GPUEXEC_TIME_H
#define GPUEXEC_TIME_H

#include_next <time.h>

#define TIME_UTC 1

#ifdef __cplusplus
extern "C" {
#endif
int timespec_get(struct timespec *, int);
#ifdef __cplusplus
}
#endif
#endif
