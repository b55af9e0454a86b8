// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/semaphore.h - Semaphores ----------------*- C -*-===*/
#ifndef GPUEXEC_SEMAPHORE_H
#define GPUEXEC_SEMAPHORE_H

#include <gpuexec/unavailable.h>
#include <time.h>

typedef struct {
  unsigned __value;
} sem_t;
#define SEM_FAILED ((sem_t *)0)
#define SEM_VALUE_MAX 0x7fffffff

#ifdef __cplusplus
extern "C" {
#endif
/* Threads of a grid may share a semaphore. ENOTSUP for one between processes.
 */
int sem_init(sem_t *, int, unsigned);
int sem_destroy(sem_t *);
int sem_post(sem_t *);
int sem_trywait(sem_t *);
int sem_getvalue(sem_t *__restrict, int *__restrict);
int sem_wait(sem_t *);
int sem_timedwait(sem_t *__restrict, const struct timespec *__restrict);
int sem_clockwait(sem_t *__restrict, clockid_t,
                  const struct timespec *__restrict);
sem_t *sem_open(const char *, int, ...)
    __GPUEXEC_NO_SHARED_SEMAPHORES(sem_open);
int sem_close(sem_t *) __GPUEXEC_NO_SHARED_SEMAPHORES(sem_close);
int sem_unlink(const char *) __GPUEXEC_NO_SHARED_SEMAPHORES(sem_unlink);
#ifdef __cplusplus
}
#endif

#endif
