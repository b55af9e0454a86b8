//===-- libc-shim/threads/mutex_attributes.c - pthread_mutexattr_t --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Type and robustness have an effect; protocols and priority ceilings are kept.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/priorities.h"
#include "libc-shim/threads/process_shared.h"
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

/// The two functions of an attribute whose values are `first` to `last`.
#define ATTRIBUTE(name, member, type, first, last)                             \
  int pthread_mutexattr_set##name(pthread_mutexattr_t *attributes,             \
                                  int value) {                                 \
    if (value < (first) || value > (last))                                     \
      return EINVAL;                                                           \
    attributes->member = (type)value;                                          \
    return 0;                                                                  \
  }                                                                            \
  int pthread_mutexattr_get##name(                                             \
      const pthread_mutexattr_t *restrict attributes, int *restrict value) {   \
    *value = attributes->member;                                               \
    return 0;                                                                  \
  }
ATTRIBUTE(type, __type, int, PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK)
ATTRIBUTE(robust, __robust, short, PTHREAD_MUTEX_STALLED, PTHREAD_MUTEX_ROBUST)
ATTRIBUTE(protocol, __protocol, short, PTHREAD_PRIO_NONE, PTHREAD_PRIO_PROTECT)
PROCESS_SHARED(mutexattr)

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes,
                                     int ceiling) {
  if (!is_realtime_priority(ceiling))
    return EINVAL;
  attributes->__ceiling = (short)ceiling;
  return 0;
}
int pthread_mutexattr_getprioceiling(
    const pthread_mutexattr_t *restrict attributes, int *restrict ceiling) {
  *ceiling = attributes->__ceiling ? attributes->__ceiling : LOWEST_PRIORITY;
  return 0;
}

/// EINVAL for a mutex without PTHREAD_PRIO_PROTECT.
int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict mutex,
                                 int *restrict ceiling) {
  if (!mutex->__ceiling)
    return EINVAL;
  *ceiling = mutex->__ceiling;
  return 0;
}
int pthread_mutex_setprioceiling(pthread_mutex_t *restrict mutex, int ceiling,
                                 int *restrict before) {
  if (!mutex->__ceiling || !is_realtime_priority(ceiling))
    return EINVAL;
  const int failed = pthread_mutex_lock(mutex);
  if (failed && failed != EDEADLK)
    return failed;
  if (before)
    *before = mutex->__ceiling;
  mutex->__ceiling = (short)ceiling;
  return failed ? 0 : pthread_mutex_unlock(mutex);
}
