/*===-- libc-shim/include/threads.h - Not to be had ---------------*- C -*-===*/
#ifndef GPUEXEC_THREADS_H
#define GPUEXEC_THREADS_H

#include <gpuexec/unavailable.h>
#include <time.h>

typedef int (*thrd_start_t)(void *);
typedef unsigned long thrd_t;
typedef int mtx_t;
enum { mtx_plain, mtx_recursive, mtx_timed };
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };

#ifdef __cplusplus
extern "C" {
#endif
int thrd_create(thrd_t *, thrd_start_t, void *)
    __GPUEXEC_NO_THREADS(thrd_create);
int thrd_join(thrd_t, int *) __GPUEXEC_NO_THREADS(thrd_join);
int mtx_init(mtx_t *, int) __GPUEXEC_NO_THREADS(mtx_init);
int mtx_lock(mtx_t *) __GPUEXEC_NO_THREADS(mtx_lock);
int mtx_unlock(mtx_t *) __GPUEXEC_NO_THREADS(mtx_unlock);
#ifdef __cplusplus
}
#endif
#endif
