//===-- libc-shim/threads/mutex.c - Mutexes -------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane takes a mutex that is free with one atomic; it waits only for lanes of
// other waves. A robust mutex whose owner's thread has ended is taken from it:
// the number of the thread that runs in the owner's wave is another one then.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/threads/owner.h"
#include "libc-shim/threads/priorities.h"
#include "libc-shim/threads/wait.h"
#include <errno.h>
#include <pthread.h>

/// pthread_mutex_t::__robust.
enum { NOT_ROBUST, ROBUST, INCONSISTENT, NOT_RECOVERABLE };

int pthread_mutex_init(pthread_mutex_t *restrict mutex,
                       const pthread_mutexattr_t *restrict attributes) {
  *mutex = (pthread_mutex_t){0};
  if (attributes) {
    mutex->__type = attributes->__type;
    mutex->__robust = attributes->__robust ? ROBUST : NOT_ROBUST;
    if (attributes->__protocol == PTHREAD_PRIO_PROTECT)
      mutex->__ceiling = attributes->__ceiling ? attributes->__ceiling
                                               : (short)LOWEST_PRIORITY;
  }
  return 0;
}
int pthread_mutex_destroy(pthread_mutex_t *mutex) {
  return mutex->__owner && !mutex->__robust ? EBUSY : 0; // as glibc
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

static short robust_state(const pthread_mutex_t *mutex) {
  return __scoped_atomic_load_n(&mutex->__robust, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// Has the thread of this number ended?
static bool has_ended(unsigned long owner) {
  return __gpuexec_thread_numbers &&
         __scoped_atomic_load_n(
             &__gpuexec_thread_numbers[wave_of_number(owner)], __ATOMIC_ACQUIRE,
             __MEMORY_SCOPE_DEVICE) != thread_of_number(owner);
}

/// Takes a robust mutex from a thread that has ended with it. True if the
/// calling lane holds it now, and what it protects is inconsistent.
static bool take_from_ended(pthread_mutex_t *mutex) {
  unsigned long owner = owner_of(&mutex->__owner);
  if (robust_state(mutex) == NOT_ROBUST || !owner || !has_ended(owner) ||
      !__scoped_atomic_compare_exchange_n(
          &mutex->__owner, &owner, own_number(), 0, __ATOMIC_ACQUIRE,
          __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
    return false;
  mutex->__count = 1;
  mutex->__robust = INCONSISTENT;
  return true;
}

/// What a lane returns that holds the mutex: ENOTRECOVERABLE without it.
static int result_of_lock(pthread_mutex_t *mutex) {
  if (robust_state(mutex) != NOT_RECOVERABLE)
    return 0;
  mutex->__count = 0;
  release_by_owner(&mutex->__owner);
  return ENOTRECOVERABLE;
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  if (!try_lock(mutex))
    return result_of_lock(mutex);
  return take_from_ended(mutex) ? EOWNERDEAD : EBUSY;
}

int pthread_mutex_consistent(pthread_mutex_t *mutex) {
  if (robust_state(mutex) != INCONSISTENT || mutex->__owner != own_number())
    return EINVAL;
  mutex->__robust = ROBUST;
  return 0;
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
    return result_of_lock(mutex);
  if (owner == own_number() && mutex->__type == PTHREAD_MUTEX_ERRORCHECK)
    return EDEADLK;
  if (!deadline)
    check_holder(owner, function);
  wait waiting = {.function = function, .object = mutex, .deadline = deadline};
  bool taken = false, inherited = false;
  WAIT_UNTIL((inherited = take_from_ended(mutex)) ||
                 (taken = try_again(mutex, !deadline, function)),
             &waiting);
  return inherited ? EOWNERDEAD : taken ? result_of_lock(mutex) : ETIMEDOUT;
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  return lock_until(mutex, NULL, "pthread_mutex_lock");
}
int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                            const struct timespec *restrict deadline) {
  if (!try_lock(mutex))
    return result_of_lock(mutex);
  return is_time(deadline)
             ? lock_until(mutex, deadline, "pthread_mutex_timedlock")
             : EINVAL;
}
int pthread_mutex_unlock(pthread_mutex_t *mutex) {
  if ((mutex->__type != PTHREAD_MUTEX_NORMAL || mutex->__robust) &&
      mutex->__owner != own_number())
    return EPERM;
  if (mutex->__robust == INCONSISTENT && mutex->__count <= 1)
    mutex->__robust = NOT_RECOVERABLE;
  // As glibc: who unlocks a mutex that is not locked leaves it so.
  if (mutex->__type != PTHREAD_MUTEX_RECURSIVE)
    mutex->__count = 0;
  else if (--mutex->__count)
    return 0;
  release_by_owner(&mutex->__owner);
  look_without_waiting();
  return 0;
}
