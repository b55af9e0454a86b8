//===-- libc-shim/threads/c11.c - threads.h on top of pthread.h -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/threads/threads.h"
#include <errno.h>
#include <threads.h>

static int status_of(int error) {
  return error == 0           ? thrd_success
         : error == EBUSY     ? thrd_busy
         : error == ETIMEDOUT ? thrd_timedout
         : error == ENOMEM    ? thrd_nomem
                              : thrd_error;
}

void call_once(once_flag *once, void (*function)(void)) {
  pthread_once(once, function);
}

int cnd_init(cnd_t *condition) {
  return status_of(pthread_cond_init(condition, NULL));
}
void cnd_destroy(cnd_t *condition) { pthread_cond_destroy(condition); }
int cnd_signal(cnd_t *condition) {
  return status_of(pthread_cond_signal(condition));
}
int cnd_broadcast(cnd_t *condition) {
  return status_of(pthread_cond_broadcast(condition));
}
int cnd_wait(cnd_t *condition, mtx_t *mutex) {
  return status_of(pthread_cond_wait(condition, mutex));
}
int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
                  const struct timespec *restrict deadline) {
  return status_of(pthread_cond_timedwait(condition, mutex, deadline));
}

int mtx_init(mtx_t *mutex, int type) {
  if (type & ~(mtx_recursive | mtx_timed))
    return thrd_error;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  if (type & mtx_recursive)
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  return status_of(pthread_mutex_init(mutex, &attributes));
}
void mtx_destroy(mtx_t *mutex) { pthread_mutex_destroy(mutex); }
int mtx_lock(mtx_t *mutex) { return status_of(pthread_mutex_lock(mutex)); }
int mtx_timedlock(mtx_t *restrict mutex,
                  const struct timespec *restrict deadline) {
  return status_of(pthread_mutex_timedlock(mutex, deadline));
}
int mtx_trylock(mtx_t *mutex) {
  return status_of(pthread_mutex_trylock(mutex));
}
int mtx_unlock(mtx_t *mutex) { return status_of(pthread_mutex_unlock(mutex)); }

thrd_t thrd_current(void) { return pthread_self(); }
int thrd_equal(thrd_t first, thrd_t second) {
  return pthread_equal(first, second);
}
int thrd_sleep(const struct timespec *span, struct timespec *left) {
  const int error = clock_nanosleep(CLOCK_REALTIME, 0, span, left);
  return error == 0 ? 0 : error == EINTR ? -1 : -2;
}
void thrd_yield(void) { sched_yield(); }

int tss_create(tss_t *key, tss_dtor_t destructor) {
  return status_of(pthread_key_create(key, destructor));
}
void tss_delete(tss_t key) { pthread_key_delete(key); }
void *tss_get(tss_t key) { return pthread_getspecific(key); }
int tss_set(tss_t key, void *value) {
  return status_of(pthread_setspecific(key, value));
}
