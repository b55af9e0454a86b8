// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/*===-- libc-shim/include/semaphore.h - Semaphores ----------------*- C -*-===*/
#ifndef GPUEXEC_SEMAPHORE_H
#define GPUEXEC_SEMAPHORE_H

#include <time.h>

typedef struct {
  unsigned __value;
  unsigned __named; /* 1: of sem_open(), and on the host */
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
/* Semaphores with a name are the host's: programs of the host and of other
   devices share them. With O_CREAT the mode and the value follow. SEM_FAILED
   with errno: ENOENT, EEXIST, EACCES, EINVAL for a name that is none or a value
   above SEM_VALUE_MAX; EPERM under --sandbox. A name that is open already gives
   the same address again, and is closed as often. */
sem_t *sem_open(const char *, int, ...);
int sem_close(sem_t *);
int sem_unlink(const char *);
#ifdef __cplusplus
}
#endif

#endif
