//===-- libc-shim/process/semaphore.c - Semaphores that nobody waits for --===//
// See semaphore.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include <limits.h>
#include <semaphore.h>

int sem_init(sem_t *semaphore, int shared, unsigned value) {
  if (shared)
    return fail_with(ENOTSUP);
  if (value > SEM_VALUE_MAX)
    return fail_with(EINVAL);
  semaphore->__value = value;
  return 0;
}
int sem_destroy(sem_t *semaphore) {
  (void)semaphore;
  return 0;
}

/// Adds `change` unless the value is `limit`.
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
  return add(semaphore, 1, SEM_VALUE_MAX, EOVERFLOW);
}
int sem_trywait(sem_t *semaphore) { return add(semaphore, -1u, 0, EAGAIN); }
int sem_getvalue(sem_t *restrict semaphore, int *restrict value) {
  *value = (int)__atomic_load_n(&semaphore->__value, __ATOMIC_ACQUIRE);
  return 0;
}
