//===-- libc-shim/threads/spin.c - Spin locks -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The word is 0 while the lock is free, else the low 32 bits of the holder's
// number (owner.h), which differ for all lanes of a grid.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/owner.h"
#include "libc-shim/threads/wait.h"
#include <errno.h>
#include <pthread.h>

int pthread_spin_init(pthread_spinlock_t *lock, int shared) {
  *lock = 0;
  return shared ? ENOTSUP : 0;
}
int pthread_spin_destroy(pthread_spinlock_t *lock) {
  (void)lock;
  return 0;
}

/// Returns 0 if the caller has taken the lock, else the holder's number.
static uint32_t take(pthread_spinlock_t *lock) {
  uint32_t before = 0;
  __scoped_atomic_compare_exchange_n(lock, &before, (uint32_t)own_number(), 0,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED,
                                     __MEMORY_SCOPE_DEVICE);
  return before;
}

/// Tries to take the lock for a lane that waits: mostly loads. Only what take()
/// says counts: LLVM lets all lanes of a wave branch as one on what they load
/// from one address, and the lock may have another owner by then.
static bool try_again(pthread_spinlock_t *lock) {
  uint32_t owner =
      __scoped_atomic_load_n(lock, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  bool taken = false;
  if (!owner) {
    owner = take(lock);
    taken = !owner;
  }
  check_new_holder(owner, "pthread_spin_lock");
  return taken;
}

int pthread_spin_trylock(pthread_spinlock_t *lock) {
  return take(lock) ? EBUSY : 0;
}
int pthread_spin_lock(pthread_spinlock_t *lock) {
  const uint32_t owner = take(lock);
  if (!owner)
    return 0;
  if (owner == (uint32_t)own_number())
    return EDEADLK;
  check_holder(owner, "pthread_spin_lock");
  wait waiting = {.function = "pthread_spin_lock", .object = lock};
  WAIT_UNTIL(try_again(lock), &waiting);
  return 0;
}
int pthread_spin_unlock(pthread_spinlock_t *lock) {
  __scoped_atomic_store_n(lock, 0, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  return 0;
}
