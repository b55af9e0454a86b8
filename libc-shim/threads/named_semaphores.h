//===-- libc-shim/threads/named_semaphores.h - For semaphore.c ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The calls of <semaphore.h> for a semaphore of sem_open(), whose value is on
// the host.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_NAMED_SEMAPHORES_H
#define GPUEXEC_LIBC_NAMED_SEMAPHORES_H

#include <semaphore.h>

int __named_semaphore_post(sem_t *);
int __named_semaphore_trywait(sem_t *);
int __named_semaphore_value(sem_t *, int *);
/// `deadline`: of `clock`; null for none.
int __named_semaphore_wait(sem_t *, clockid_t clock,
                           const struct timespec *deadline);

#endif
