//===-- libc-shim/threads/semaphore.c - Semaphores ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See semaphore.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/threads/named_semaphores.h"
#include "libc-shim/threads/wait.h"
#include <limits.h>
#include <semaphore.h>

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  (void)shared; // no memory of the program is another process's, too
  if (value > SEM_VALUE_MAX)
    return fail_with(EINVAL);
  *semaphore = (sem_t){.__value = value};
  return 0;
}
int sem_destroy(sem_t *semaphore) {
  (void)semaphore;
  return 0;
}

/// Adds `change` to the value. If the value is `limit`, returns -1 with errno
/// `error`.
static int add(sem_t *semaphore, unsigned change, unsigned limit, int error) {
  unsigned value = __atomic_load_n(&semaphore->__value, __ATOMIC_RELAXED);
  do
    if (value == limit)
      return fail_with(error);
  while (!__atomic_compare_exchange_n(&semaphore->__value, &value,
                                      value + change, 0, __ATOMIC_ACQ_REL,
                                      __ATOMIC_RELAXED));
  return 0;
}
int sem_post(sem_t *semaphore) {
  if (semaphore->__named)
    return __named_semaphore_post(semaphore);
  const int result = add(semaphore, 1, SEM_VALUE_MAX, EOVERFLOW);
  look_without_waiting();
  return result;
}
int sem_trywait(sem_t *semaphore) {
  return semaphore->__named ? __named_semaphore_trywait(semaphore)
                            : add(semaphore, -1u, 0, EAGAIN);
}
int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
  if (semaphore->__named)
    return __named_semaphore_value(semaphore, value);
  *value = (int)__atomic_load_n(&semaphore->__value, __ATOMIC_ACQUIRE);
  return 0;
}

static bool try_take(sem_t *semaphore) {
  unsigned value = __scoped_atomic_load_n(&semaphore->__value, __ATOMIC_RELAXED,
                                          __MEMORY_SCOPE_DEVICE);
  while (value)
    if (__scoped_atomic_compare_exchange_n(
            &semaphore->__value, &value, value - 1, 0, __ATOMIC_ACQUIRE,
            __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE))
      return true;
  return false;
}

static int take_until(sem_t *semaphore, clockid_t clock,
                      const struct timespec *deadline, const char *function) {
  if (semaphore->__named)
    return __named_semaphore_wait(semaphore, clock, deadline);
  act_on_cancel(look_for_interruption());
  if (try_take(semaphore))
    return 0;
  if (deadline && !is_time(deadline))
    return fail_with(EINVAL);
  if (!may_wait_for_any())
    __gpuexec_waits_in_wave(function);
  bool taken = false;
  wait waiting = {.function = function,
                  .object = semaphore,
                  .deadline = deadline,
                  .clock = clock,
                  .ends_by = THREAD_CANCELLED | SIGNAL_STOPS};
  WAIT_UNTIL((taken = try_take(semaphore)), &waiting);
  if (taken)
    return 0;
  act_on_cancel(waiting.found);
  return fail_with(waiting.found ? EINTR : ETIMEDOUT);
}
int sem_wait(sem_t *semaphore) {
  return take_until(semaphore, CLOCK_REALTIME, NULL, "sem_wait");
}
int sem_timedwait(sem_t *restrict semaphore,
                  const struct timespec *restrict deadline) {
  return take_until(semaphore, CLOCK_REALTIME, deadline, "sem_timedwait");
}
int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
                  const struct timespec *restrict deadline) {
  return take_until(semaphore, clock, deadline, "sem_clockwait");
}
