//===-- libc-shim/threads/condition.c - Condition variables ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The threads that wait form a list, in the order in which they came. The
// thread that wakes a waiter removes it from the list.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/lock.h"
#include "libc-shim/threads/process_shared.h"
#include "libc-shim/threads/wait.h"
#include <errno.h>
#include <pthread.h>

/// An entry of the list: a local variable of the thread that waits.
typedef struct waiter {
  struct waiter *next;
  uint32_t woken;
} waiter;

int pthread_condattr_init(pthread_condattr_t *attributes) {
  *attributes = (pthread_condattr_t){.__clock = CLOCK_REALTIME};
  return 0;
}
int pthread_condattr_destroy(pthread_condattr_t *attributes) {
  (void)attributes;
  return 0;
}
int pthread_condattr_setclock(pthread_condattr_t *attributes, clockid_t clock) {
  if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
    return EINVAL;
  attributes->__clock = (int)clock;
  return 0;
}
int pthread_condattr_getclock(const pthread_condattr_t *restrict attributes,
                              clockid_t *restrict clock) {
  *clock = (clockid_t)attributes->__clock;
  return 0;
}
PROCESS_SHARED(condattr)

int pthread_cond_init(pthread_cond_t *restrict condition,
                      const pthread_condattr_t *restrict attributes) {
  *condition =
      (pthread_cond_t){.__clock = attributes ? attributes->__clock : 0};
  return 0;
}
int pthread_cond_destroy(pthread_cond_t *condition) {
  return condition->__first ? EBUSY : 0;
}

static void append(pthread_cond_t *condition, waiter *self) {
  lock_take(&condition->__lock);
  if (condition->__first)
    ((waiter *)condition->__last)->next = self;
  else
    condition->__first = self;
  condition->__last = self;
  lock_release(&condition->__lock);
}

static bool is_woken(const waiter *self) {
  return __scoped_atomic_load_n(&self->woken, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// Ends a wait at its deadline: removes the entry from the list unless another
/// thread has woken it meanwhile. True if it was woken.
static bool give_up(pthread_cond_t *condition, waiter *self) {
  lock_take(&condition->__lock);
  const bool woken = is_woken(self);
  waiter *before = NULL;
  for (waiter *each = condition->__first; each && !woken; each = each->next) {
    if (each == self) {
      if (before)
        before->next = self->next;
      else
        condition->__first = self->next;
      if (condition->__last == self)
        condition->__last = before;
      break;
    }
    before = each;
  }
  lock_release(&condition->__lock);
  return woken;
}

static int wait_until(pthread_cond_t *restrict condition,
                      pthread_mutex_t *restrict mutex,
                      const struct timespec *restrict deadline,
                      const char *function) {
  if (!may_wait_for_any())
    __gpuexec_waits_in_wave(function);
  waiter self = {0};
  append(condition, &self);
  const int failed = pthread_mutex_unlock(mutex);
  if (failed) {
    give_up(condition, &self);
    return failed;
  }
  wait waiting = {.function = function,
                  .object = condition,
                  .deadline = deadline,
                  .clock = (clockid_t)condition->__clock,
                  .ends_by = THREAD_CANCELLED};
  WAIT_UNTIL(is_woken(&self), &waiting);
  const bool woken = is_woken(&self) || give_up(condition, &self);
  const int locked = pthread_mutex_lock(mutex);
  if (!woken)
    act_on_cancel(waiting.found);
  return locked ? locked : woken ? 0 : ETIMEDOUT;
}

int pthread_cond_wait(pthread_cond_t *restrict condition,
                      pthread_mutex_t *restrict mutex) {
  return wait_until(condition, mutex, NULL, "pthread_cond_wait");
}
int pthread_cond_timedwait(pthread_cond_t *restrict condition,
                           pthread_mutex_t *restrict mutex,
                           const struct timespec *restrict deadline) {
  return is_time(deadline)
             ? wait_until(condition, mutex, deadline, "pthread_cond_timedwait")
             : EINVAL;
}

/// Wakes the first thread of the list; the caller holds the lock. False if the
/// list is empty.
static bool wake_first(pthread_cond_t *condition) {
  waiter *first = condition->__first;
  if (!first)
    return false;
  condition->__first = first->next;
  // The entry's memory may be gone as soon as its thread is woken.
  __scoped_atomic_store_n(&first->woken, 1, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
  return true;
}

/// A thread enters the list before it unlocks the mutex, so a thread that locks
/// the mutex later sees it here.
static bool has_waiters(pthread_cond_t *condition) {
  return __scoped_atomic_load_n(&condition->__first, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

int pthread_cond_signal(pthread_cond_t *condition) {
  look_without_waiting();
  if (!has_waiters(condition))
    return 0;
  lock_take(&condition->__lock);
  wake_first(condition);
  lock_release(&condition->__lock);
  return 0;
}
int pthread_cond_broadcast(pthread_cond_t *condition) {
  look_without_waiting();
  if (!has_waiters(condition))
    return 0;
  lock_take(&condition->__lock);
  while (wake_first(condition))
    ;
  lock_release(&condition->__lock);
  return 0;
}
