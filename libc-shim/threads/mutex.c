//===-- libc-shim/threads/mutex.c - Mutexes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane takes a mutex that is free with one atomic; it waits only for lanes of
// other waves.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/threads/owner.h"
#include "libc-shim/threads/process_shared.h"
#include "libc-shim/threads/wait.h"
#include <errno.h>
#include <pthread.h>

int pthread_mutexattr_init(pthread_mutexattr_t *attributes) {
  *attributes = (pthread_mutexattr_t){0};
  return 0;
}
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes) {
  (void)attributes;
  return 0;
}
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int type) {
  if (type < PTHREAD_MUTEX_NORMAL || type > PTHREAD_MUTEX_ERRORCHECK)
    return EINVAL;
  attributes->__type = type;
  return 0;
}
int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attributes,
                              int *restrict type) {
  *type = attributes->__type;
  return 0;
}
PROCESS_SHARED(mutexattr)
int pthread_mutex_init(pthread_mutex_t *restrict mutex,
                       const pthread_mutexattr_t *restrict attributes) {
  *mutex = (pthread_mutex_t){.__type = attributes ? attributes->__type : 0};
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  return mutex->__owner ? EBUSY : 0;
}

/// Takes the mutex if it is free or recursive and the calling thread's. Returns
/// 0, or else the number (owner.h) of the lane that holds it.
static unsigned long try_lock(pthread_mutex_t *mutex) {
  const unsigned long self = own_number(),
                      owner = take_for_owner(&mutex->__owner, self);
  if (owner && (owner != self || mutex->__type != PTHREAD_MUTEX_RECURSIVE))
    return owner;
  ++mutex->__count;
  return 0;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  return try_lock(mutex) ? EBUSY : 0;
}

/// Tries to take the mutex for a lane that waits. Mostly loads: an exchange takes
/// the cache line from the holder. Only what try_lock() says counts, as in
/// spin.c.
static bool try_again(pthread_mutex_t *mutex, bool for_ever,
                      const char *function) {
  unsigned long owner = owner_of(&mutex->__owner);
  bool taken = false;
  if (!owner) {
    owner = try_lock(mutex);
    taken = !owner;
  }
  if (for_ever)
    check_new_holder(owner, function);
  return taken;
}

static int lock_until(pthread_mutex_t *restrict mutex,
                      const struct timespec *restrict deadline,
                      const char *function) {
  unsigned long owner = try_lock(mutex);
  if (!owner)
    return 0;
  if (owner == own_number() && mutex->__type == PTHREAD_MUTEX_ERRORCHECK)
    return EDEADLK;
  if (!deadline)
    check_holder(owner, function);
  wait waiting = {.function = function, .object = mutex, .deadline = deadline};
  bool taken = false;
  WAIT_UNTIL((taken = try_again(mutex, !deadline, function)), &waiting);
  return taken ? 0 : ETIMEDOUT;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  return lock_until(mutex, NULL, "pthread_mutex_lock");
}
int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                            const struct timespec *restrict deadline) {
  if (!try_lock(mutex))
    return 0;
  return is_time(deadline)
             ? lock_until(mutex, deadline, "pthread_mutex_timedlock")
             : EINVAL;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if (mutex->__type != PTHREAD_MUTEX_NORMAL && mutex->__owner != own_number())
    return EPERM;
  if (!--mutex->__count)
    release_by_owner(&mutex->__owner);
  return 0;
}
