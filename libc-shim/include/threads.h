/*===-- libc-shim/include/threads.h - Link errors -----------------*- C -*-===*/
#ifndef GPUEXEC_THREADS_H
#define GPUEXEC_THREADS_H

#include <gpuexec/unavailable.h>
#include <time.h>

#ifndef __cplusplus
#undef thread_local
#define thread_local _Thread_local
#endif
#define ONCE_FLAG_INIT 0
#define TSS_DTOR_ITERATIONS 4

typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
typedef unsigned long thrd_t;
typedef int mtx_t;
typedef int cnd_t;
typedef unsigned tss_t;
typedef int once_flag;
enum { mtx_plain, mtx_recursive, mtx_timed };
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };

#ifdef __cplusplus
extern "C" {
#endif
void call_once(once_flag *, void (*)(void)) __GPUEXEC_NO_THREADS(call_once);
int cnd_broadcast(cnd_t *) __GPUEXEC_NO_THREADS(cnd_broadcast);
void cnd_destroy(cnd_t *) __GPUEXEC_NO_THREADS(cnd_destroy);
int cnd_init(cnd_t *) __GPUEXEC_NO_THREADS(cnd_init);
int cnd_signal(cnd_t *) __GPUEXEC_NO_THREADS(cnd_signal);
int cnd_timedwait(cnd_t *, mtx_t *, const struct timespec *)
    __GPUEXEC_NO_THREADS(cnd_timedwait);
int cnd_wait(cnd_t *, mtx_t *) __GPUEXEC_NO_THREADS(cnd_wait);
void mtx_destroy(mtx_t *) __GPUEXEC_NO_THREADS(mtx_destroy);
int mtx_init(mtx_t *, int) __GPUEXEC_NO_THREADS(mtx_init);
int mtx_lock(mtx_t *) __GPUEXEC_NO_THREADS(mtx_lock);
int mtx_timedlock(mtx_t *, const struct timespec *)
    __GPUEXEC_NO_THREADS(mtx_timedlock);
int mtx_trylock(mtx_t *) __GPUEXEC_NO_THREADS(mtx_trylock);
int mtx_unlock(mtx_t *) __GPUEXEC_NO_THREADS(mtx_unlock);
int thrd_create(thrd_t *, thrd_start_t, void *)
    __GPUEXEC_NO_THREADS(thrd_create);
thrd_t thrd_current(void) __GPUEXEC_NO_THREADS(thrd_current);
int thrd_detach(thrd_t) __GPUEXEC_NO_THREADS(thrd_detach);
int thrd_equal(thrd_t, thrd_t) __GPUEXEC_NO_THREADS(thrd_equal);
void thrd_exit(int) __GPUEXEC_NO_THREADS(thrd_exit);
int thrd_join(thrd_t, int *) __GPUEXEC_NO_THREADS(thrd_join);
int thrd_sleep(const struct timespec *, struct timespec *)
    __GPUEXEC_NO_THREADS(thrd_sleep);
void thrd_yield(void) __GPUEXEC_NO_THREADS(thrd_yield);
int tss_create(tss_t *, tss_dtor_t) __GPUEXEC_NO_THREADS(tss_create);
void tss_delete(tss_t) __GPUEXEC_NO_THREADS(tss_delete);
void *tss_get(tss_t) __GPUEXEC_NO_THREADS(tss_get);
int tss_set(tss_t, void *) __GPUEXEC_NO_THREADS(tss_set);
#ifdef __cplusplus
}
#endif
#endif
