//===-- libc-shim/threads/rwlock.c - Locks for readers and writers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever changes __readers holds __writer meanwhile; a writer holds it until
// it unlocks. Readers are preferred: a thread may take a read lock while
// another one holds a read lock, even if a writer waits.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/owner.h"
#include "libc-shim/threads/process_shared.h"
#include "libc-shim/threads/wait.h"
#include <errno.h>
#include <pthread.h>

int pthread_rwlock_init(pthread_rwlock_t *restrict lock,
                        const pthread_rwlockattr_t *restrict attributes) {
  (void)attributes;
  *lock = (pthread_rwlock_t){0};
  return 0;
}
int pthread_rwlock_destroy(pthread_rwlock_t *lock) {
  (void)lock;
  return 0;
}
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes) {
  *attributes = (pthread_rwlockattr_t){0};
  return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes) {
  (void)attributes;
  return 0;
}
PROCESS_SHARED(rwlockattr)

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  if (take_for_owner(&lock->__writer, own_number()))
    return EBUSY;
  ++lock->__readers;
  release_by_owner(&lock->__writer);
  return 0;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  if (take_for_owner(&lock->__writer, own_number()))
    return EBUSY;
  if (!lock->__readers)
    return 0;
  release_by_owner(&lock->__writer);
  return EBUSY;
}

typedef int attempt(pthread_rwlock_t *);

static int lock_until(pthread_rwlock_t *lock, attempt *try,
                      const struct timespec *deadline, const char *function) {
  if (!try(lock))
    return 0;
  if (deadline && !is_time(deadline))
    return EINVAL;
  const unsigned long writer = owner_of(&lock->__writer);
  if (writer == own_number())
    return EDEADLK;
  if (writer && is_in_own_wave(writer))
    __gpuexec_waits_in_wave(function);
  int result = EBUSY;
  wait waiting = {.function = function, .object = lock, .deadline = deadline};
  WAIT_UNTIL(!(result = try(lock)), &waiting);
  return result ? ETIMEDOUT : 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *lock) {
  return lock_until(lock, pthread_rwlock_tryrdlock, NULL,
                    "pthread_rwlock_rdlock");
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline) {
  return lock_until(lock, pthread_rwlock_tryrdlock, deadline,
                    "pthread_rwlock_timedrdlock");
}
int pthread_rwlock_wrlock(pthread_rwlock_t *lock) {
  return lock_until(lock, pthread_rwlock_trywrlock, NULL,
                    "pthread_rwlock_wrlock");
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline) {
  return lock_until(lock, pthread_rwlock_trywrlock, deadline,
                    "pthread_rwlock_timedwrlock");
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (owner_of(&lock->__writer) != own_number()) {
    while (take_for_owner(&lock->__writer, own_number()))
      __gpu_thread_suspend();
    --lock->__readers;
  }
  release_by_owner(&lock->__writer);
  return 0;
}
