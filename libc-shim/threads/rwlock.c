//===-- libc-shim/threads/rwlock.c - Locks for readers and writers --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whoever changes __readers holds __writer meanwhile, briefly; a writer holds it
// until it unlocks. The lanes of a wave change __readers one after another: in
// lockstep a lane that waits would keep the holder from releasing. Readers are
// preferred: a thread may take a read lock while another one holds a read lock,
// even if a writer waits.
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

/// Adds `change` to the number of readers, for the calling lane. Two sums tell
/// whether all readers are of one wave, without a list: then the numbers of
/// their waves have no variance.
static void count_reader(pthread_rwlock_t *lock, unsigned change) {
  const unsigned long wave = rpc_this_wave().number;
  const unsigned long sign = (unsigned long)(int)change;
  lock->__readers += change;
  lock->__waves += sign * wave;
  lock->__squares += sign * wave * wave;
}
static bool all_readers_are_in_own_wave(const pthread_rwlock_t *lock) {
  const unsigned long wave = rpc_this_wave().number, readers = lock->__readers;
  return readers && lock->__waves == readers * wave &&
         lock->__squares == readers * wave * wave;
}

/// Is in __writer, beside the holder's number, while the holder looks at
/// __readers or changes them: it releases the lock at once.
static const unsigned long BRIEFLY = 1ul << 63;

/// Takes the lock for a moment, and waits for others that have it for a moment.
/// Returns 0, or the number of the writer that holds it. For one lane of a wave
/// at a time.
static unsigned long take_briefly(pthread_rwlock_t *lock) {
  unsigned long holder;
  while ((holder = take_for_owner(&lock->__writer, own_number() | BRIEFLY)) &
         BRIEFLY)
    __gpu_thread_suspend();
  return holder;
}
/// The number of the writer that holds the lock, or 0.
static unsigned long writer_of(const pthread_rwlock_t *lock) {
  const unsigned long holder = owner_of(&lock->__writer);
  return holder & BRIEFLY ? 0 : holder;
}

static void remove_reader(pthread_rwlock_t *lock) {
  while (take_briefly(lock))
    __gpu_thread_suspend();
  count_reader(lock, -1u);
  release_by_owner(&lock->__writer);
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock) {
  int result = EBUSY;
  FOR_EACH_LANE(rpc_lane_mask()) {
    if (!take_briefly(lock)) {
      count_reader(lock, 1);
      release_by_owner(&lock->__writer);
      result = 0;
    }
  }
  return result;
}
static int try_write(pthread_rwlock_t *lock) {
  if (take_for_owner(&lock->__writer, own_number() | BRIEFLY))
    return EBUSY;
  if (!lock->__readers) {
    __scoped_atomic_store_n(&lock->__writer, own_number(), __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
    return 0;
  }
  const bool waits_for_own_wave = all_readers_are_in_own_wave(lock);
  release_by_owner(&lock->__writer);
  return waits_for_own_wave ? EDEADLK : EBUSY;
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock) {
  return try_write(lock) ? EBUSY : 0;
}

/// Returns 0 when the calling lane has taken the lock, EDEADLK when only lanes
/// of its wave hold it for reading, EBUSY otherwise.
typedef int attempt(pthread_rwlock_t *);

/// `try` of a lane that waits, without a deadline if it is `for_ever`.
static int try_again(pthread_rwlock_t *lock, attempt *try, bool for_ever,
                     const char *function) {
  const int result = try(lock);
  if (!result || !for_ever)
    return result;
#ifdef __AMDGPU__
  if (result == EDEADLK && !__gpuexec_has_threads && !may_wait_for_any())
    __gpuexec_waits_in_wave(function);
#endif
  check_new_holder(writer_of(lock), function);
  return result;
}

static int lock_until(pthread_rwlock_t *lock, attempt *try,
                      const struct timespec *deadline, const char *function) {
  if (!try(lock))
    return 0;
  if (deadline && !is_time(deadline))
    return EINVAL;
  const unsigned long writer = writer_of(lock);
  if (writer == own_number())
    return EDEADLK;
  if (!deadline)
    check_holder(writer, function);
  int result = EBUSY;
  wait waiting = {.function = function, .object = lock, .deadline = deadline};
  WAIT_UNTIL(!(result = try_again(lock, try, !deadline, function)), &waiting);
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
  return lock_until(lock, try_write, NULL, "pthread_rwlock_wrlock");
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict lock,
                               const struct timespec *restrict deadline) {
  return lock_until(lock, try_write, deadline, "pthread_rwlock_timedwrlock");
}
int pthread_rwlock_unlock(pthread_rwlock_t *lock) {
  if (owner_of(&lock->__writer) != own_number()) {
    FOR_EACH_LANE(rpc_lane_mask()) { remove_reader(lock); }
  } else {
    release_by_owner(&lock->__writer);
  }
  return 0;
}
