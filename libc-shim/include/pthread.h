// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/pthread.h - POSIX threads ---------------*- C -*-===*/
/* A thread is a wave of the GPU. A program that creates threads calls main()
 * once, in the first wave of its grid; the other waves wait until a thread is
 * created. As many threads as the grid has waves can run at the same time.
 *
 * In other programs every thread of the launch calls main(). Locks work among
 * those too, except where a lane would wait for a lane of its own wave: that
 * would never end, and aborts the program with a message.
 */
#ifndef GPUEXEC_PTHREAD_H
#define GPUEXEC_PTHREAD_H

#include <gpuexec/unavailable.h>
#include <sched.h>
#include <sys/types.h>
#include <time.h>

#define PTHREAD_MUTEX_INITIALIZER                                              \
  { 0 }
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP                                 \
  { 0, 0, PTHREAD_MUTEX_RECURSIVE, 0, 0 }
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP                                \
  { 0, 0, PTHREAD_MUTEX_ERRORCHECK, 0, 0 }
#define PTHREAD_RWLOCK_INITIALIZER                                             \
  { 0 }
#define PTHREAD_COND_INITIALIZER                                               \
  { 0 }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL
#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1
#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_CREATE_DETACHED 1
#define PTHREAD_CANCEL_ENABLE 0
#define PTHREAD_CANCEL_DISABLE 1
#define PTHREAD_CANCEL_DEFERRED 0
#define PTHREAD_CANCEL_ASYNCHRONOUS 1
#define PTHREAD_CANCELED ((void *)-1)
#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1
#define PTHREAD_SCOPE_SYSTEM 0
#define PTHREAD_SCOPE_PROCESS 1
#define PTHREAD_INHERIT_SCHED 0
#define PTHREAD_EXPLICIT_SCHED 1
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_STACK_MIN 16384
#define PTHREAD_KEYS_MAX 128

#ifdef __cplusplus
extern "C" {
#endif
/*===-- Threads -----------------------------------------------------------===*/

/* EAGAIN: each wave of the grid is a thread already, or memory is out. */
int pthread_create(pthread_t *__restrict, const pthread_attr_t *__restrict,
                   void *(*)(void *), void *__restrict);
int pthread_join(pthread_t, void **);
int pthread_tryjoin_np(pthread_t, void **);
int pthread_timedjoin_np(pthread_t, void **, const struct timespec *);
int pthread_detach(pthread_t);
void pthread_exit(void *) __attribute__((__noreturn__));
pthread_t pthread_self(void);
int pthread_equal(pthread_t, pthread_t);
int pthread_once(pthread_once_t *, void (*)(void));

/* Names have at most 15 characters. */
int pthread_setname_np(pthread_t, const char *);
int pthread_getname_np(pthread_t, char *, size_t);

/* A stack and its size are kept and have no effect: what does not fit on the
 * hardware's stack is on the heap. */
int pthread_attr_init(pthread_attr_t *);
int pthread_attr_destroy(pthread_attr_t *);
int pthread_attr_setstacksize(pthread_attr_t *, size_t);
int pthread_attr_getstacksize(const pthread_attr_t *__restrict,
                              size_t *__restrict);
int pthread_attr_setguardsize(pthread_attr_t *, size_t);
int pthread_attr_getguardsize(const pthread_attr_t *__restrict,
                              size_t *__restrict);
int pthread_attr_setdetachstate(pthread_attr_t *, int);
int pthread_attr_getdetachstate(const pthread_attr_t *, int *);
int pthread_attr_setscope(pthread_attr_t *, int);
int pthread_attr_getscope(const pthread_attr_t *__restrict, int *__restrict);
int pthread_attr_setinheritsched(pthread_attr_t *, int);
int pthread_attr_getinheritsched(const pthread_attr_t *__restrict,
                                 int *__restrict);
int pthread_attr_setschedpolicy(pthread_attr_t *, int);
int pthread_attr_getschedpolicy(const pthread_attr_t *__restrict,
                                int *__restrict);
int pthread_attr_setschedparam(pthread_attr_t *__restrict,
                               const struct sched_param *__restrict);
int pthread_attr_getschedparam(const pthread_attr_t *__restrict,
                               struct sched_param *__restrict);
int pthread_attr_setstack(pthread_attr_t *, void *, size_t);
int pthread_attr_getstack(const pthread_attr_t *__restrict, void **__restrict,
                          size_t *__restrict);
int pthread_getconcurrency(void);
int pthread_setconcurrency(int);

/* All waves are equal: policies and priorities are kept, and have no effect. */
int pthread_setschedparam(pthread_t, int, const struct sched_param *);
int pthread_getschedparam(pthread_t, int *__restrict,
                          struct sched_param *__restrict);
int pthread_setschedprio(pthread_t, int);
/* The clock of the program's process. */
int pthread_getcpuclockid(pthread_t, clockid_t *);

/* A cancelled thread ends at a cancellation point: where it waits (but for a
 * mutex, a lock or a barrier), and when a POSIX call of the host returns. With
 * PTHREAD_CANCEL_ASYNCHRONOUS it also ends where it waits for locks, in
 * sched_yield(), and in loops that read a volatile variable or have no end;
 * nothing else stops it while it computes. */
int pthread_cancel(pthread_t);
int pthread_setcancelstate(int, int *);
int pthread_setcanceltype(int, int *);
void pthread_testcancel(void);
/* See signal.h. */
int pthread_kill(pthread_t, int);

/* What pthread_exit() calls, the newest first. */
struct __gpuexec_cleanup {
  void (*__function)(void *);
  void *__argument;
  struct __gpuexec_cleanup *__older;
};
void __gpuexec_cleanup_push(struct __gpuexec_cleanup *);
void __gpuexec_cleanup_pop(struct __gpuexec_cleanup *, int);
#define pthread_cleanup_push(function, argument)                               \
  do {                                                                         \
    struct __gpuexec_cleanup __cleanup = {function, argument, 0};              \
    __gpuexec_cleanup_push(&__cleanup);                                        \
    do {
#define pthread_cleanup_pop(execute)                                           \
  }                                                                            \
  while (0)                                                                    \
    ;                                                                          \
  __gpuexec_cleanup_pop(&__cleanup, execute);                                  \
  }                                                                            \
  while (0)

/* No process is ever copied: the functions are never called. */
int pthread_atfork(void (*)(void), void (*)(void), void (*)(void));

/*===-- Locks -------------------------------------------------------------===*/

int pthread_mutex_init(pthread_mutex_t *__restrict,
                       const pthread_mutexattr_t *__restrict);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_timedlock(pthread_mutex_t *__restrict,
                            const struct timespec *__restrict);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_destroy(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *__restrict,
                              int *__restrict);
/* PTHREAD_PROCESS_SHARED has no effect: no memory of a GPU program is another
 * process's, too. */
int pthread_mutexattr_setpshared(pthread_mutexattr_t *, int);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *__restrict,
                                 int *__restrict);
/* The next owner of a robust mutex whose thread has ended gets EOWNERDEAD, and
 * makes it consistent again; else it is ENOTRECOVERABLE for all. */
int pthread_mutexattr_setrobust(pthread_mutexattr_t *, int);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *__restrict,
                                int *__restrict);
int pthread_mutex_consistent(pthread_mutex_t *);
/* Protocols and priority ceilings are kept, and have no effect. */
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *, int);
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *__restrict,
                                  int *__restrict);
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *, int);
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *__restrict,
                                     int *__restrict);
int pthread_mutex_setprioceiling(pthread_mutex_t *__restrict, int,
                                 int *__restrict);
int pthread_mutex_getprioceiling(const pthread_mutex_t *__restrict,
                                 int *__restrict);

int pthread_rwlock_init(pthread_rwlock_t *__restrict,
                        const pthread_rwlockattr_t *__restrict);
int pthread_rwlock_destroy(pthread_rwlock_t *);
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *__restrict,
                               const struct timespec *__restrict);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_trywrlock(pthread_rwlock_t *);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *__restrict,
                               const struct timespec *__restrict);
int pthread_rwlock_unlock(pthread_rwlock_t *);
int pthread_rwlockattr_init(pthread_rwlockattr_t *);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *, int);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *__restrict,
                                  int *__restrict);

int pthread_spin_init(pthread_spinlock_t *, int);
int pthread_spin_destroy(pthread_spinlock_t *);
int pthread_spin_lock(pthread_spinlock_t *);
int pthread_spin_trylock(pthread_spinlock_t *);
int pthread_spin_unlock(pthread_spinlock_t *);

/*===-- Waiting for other threads -----------------------------------------===*/

int pthread_cond_init(pthread_cond_t *__restrict,
                      const pthread_condattr_t *__restrict);
int pthread_cond_destroy(pthread_cond_t *);
int pthread_cond_signal(pthread_cond_t *);
int pthread_cond_broadcast(pthread_cond_t *);
int pthread_cond_wait(pthread_cond_t *__restrict, pthread_mutex_t *__restrict);
int pthread_cond_timedwait(pthread_cond_t *__restrict,
                           pthread_mutex_t *__restrict,
                           const struct timespec *__restrict);
int pthread_condattr_init(pthread_condattr_t *);
int pthread_condattr_destroy(pthread_condattr_t *);
int pthread_condattr_setclock(pthread_condattr_t *, clockid_t);
int pthread_condattr_getclock(const pthread_condattr_t *__restrict,
                              clockid_t *__restrict);
int pthread_condattr_setpshared(pthread_condattr_t *, int);
int pthread_condattr_getpshared(const pthread_condattr_t *__restrict,
                                int *__restrict);

int pthread_barrier_init(pthread_barrier_t *__restrict,
                         const pthread_barrierattr_t *__restrict, unsigned);
int pthread_barrier_destroy(pthread_barrier_t *);
int pthread_barrier_wait(pthread_barrier_t *);
int pthread_barrierattr_init(pthread_barrierattr_t *);
int pthread_barrierattr_destroy(pthread_barrierattr_t *);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *, int);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *__restrict,
                                   int *__restrict);

/*===-- Each thread's own values ------------------------------------------===*/

/* Destructors run when a thread that the program created ends; in main() and
 * the threads of a launch they do not, as at exit() on a host. */
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_key_delete(pthread_key_t);
void *pthread_getspecific(pthread_key_t);
int pthread_setspecific(pthread_key_t, const void *);
#ifdef __cplusplus
}
#endif
#endif
