/*===-- libc-shim/include/pthread.h - Locks, keys; no new threads -*- C -*-===*/
/* The launch makes the threads: pthread_create() and what waits for another
 * thread does not link. Locks work among the threads of the launch, except
 * where a lane would wait for a lane of its own wave: that would never end, and
 * aborts the program with a message.
 *===----------------------------------------------------------------------===*/
#ifndef GPUEXEC_PTHREAD_H
#define GPUEXEC_PTHREAD_H

#include <gpuexec/unavailable.h>
#include <sched.h>
#include <sys/types.h>
#include <time.h>

#define PTHREAD_MUTEX_INITIALIZER                                              \
  { 0 }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP                                 \
  { 0, 0, PTHREAD_MUTEX_RECURSIVE }
#define PTHREAD_RWLOCK_INITIALIZER                                             \
  { 0 }
#define PTHREAD_COND_INITIALIZER                                               \
  { 0 }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_STACK_MIN 16384
#define PTHREAD_KEYS_MAX 1024

#ifdef __cplusplus
extern "C" {
#endif
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
int pthread_once(pthread_once_t *, void (*)(void));

int pthread_mutex_init(pthread_mutex_t *__restrict,
                       const pthread_mutexattr_t *__restrict);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *__restrict,
                              int *__restrict);

int pthread_rwlock_init(pthread_rwlock_t *__restrict,
                        const pthread_rwlockattr_t *__restrict);
int pthread_rwlock_destroy(pthread_rwlock_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);

/* Each thread's own values. Destructors do not run: as at exit() on a host. */
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_key_delete(pthread_key_t);
void *pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);

/* Nobody can wait, so nobody is woken. */
int pthread_cond_init(pthread_cond_t *__restrict,
                      const pthread_condattr_t *__restrict);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *__restrict, pthread_mutex_t *__restrict)
    __GPUEXEC_NO_THREADS(pthread_cond_wait);
int pthread_cond_timedwait(pthread_cond_t *__restrict,
                           pthread_mutex_t *__restrict,
                           const struct timespec *__restrict)
    __GPUEXEC_NO_THREADS(pthread_cond_timedwait);

int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
/* No process is ever copied: the functions are never called. */
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));
int pthread_create(pthread_t *__restrict, const pthread_attr_t *__restrict,
                   void *(*)(void *), void *__restrict)
    __GPUEXEC_NO_THREADS(pthread_create);
int pthread_join(pthread_t, void **) __GPUEXEC_NO_THREADS(pthread_join);
int pthread_detach(pthread_t) __GPUEXEC_NO_THREADS(pthread_detach);
int pthread_cancel(pthread_t) __GPUEXEC_NO_THREADS(pthread_cancel);
void pthread_exit(void *) __GPUEXEC_NO_THREADS(pthread_exit);
#ifdef __cplusplus
}
#endif
#endif
