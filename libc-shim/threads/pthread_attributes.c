//===-- libc-shim/threads/pthread_attributes.c - pthread_attr_t -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the attributes only the detach state has an effect.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <pthread.h>

enum { DEFAULT_STACK = 8 << 20, DEFAULT_GUARD = 4096 };

int pthread_attr_init(pthread_attr_t *attributes) {
  *attributes = (pthread_attr_t){.__stack_size = DEFAULT_STACK,
                                 .__guard_size = DEFAULT_GUARD};
  return 0;
}
int pthread_attr_destroy(pthread_attr_t *attributes) {
  (void)attributes;
  return 0;
}
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size) {
  if (size < PTHREAD_STACK_MIN)
    return EINVAL;
  attributes->__stack_size = size;
  return 0;
}
int pthread_attr_getstacksize(const pthread_attr_t *restrict attributes,
                              size_t *restrict size) {
  *size = attributes->__stack_size;
  return 0;
}
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size) {
  attributes->__guard_size = size;
  return 0;
}
int pthread_attr_getguardsize(const pthread_attr_t *restrict attributes,
                              size_t *restrict size) {
  *size = attributes->__guard_size;
  return 0;
}

/// The two functions of an attribute whose values are 0 to `count` - 1.
#define ATTRIBUTE(name, member, count)                                         \
  int pthread_attr_set##name(pthread_attr_t *attributes, int value) {          \
    if (value < 0 || value >= (count))                                         \
      return EINVAL;                                                           \
    attributes->member = value;                                                \
    return 0;                                                                  \
  }                                                                            \
  int pthread_attr_get##name(const pthread_attr_t *restrict attributes,        \
                             int *restrict value) {                            \
    *value = attributes->member;                                               \
    return 0;                                                                  \
  }
ATTRIBUTE(detachstate, __detached, 2)
ATTRIBUTE(inheritsched, __inherit, 2)

int pthread_attr_setscope(pthread_attr_t *attributes, int scope) {
  (void)attributes;
  return scope == PTHREAD_SCOPE_SYSTEM    ? 0
         : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP
                                          : EINVAL;
}
int pthread_attr_getscope(const pthread_attr_t *restrict attributes,
                          int *restrict scope) {
  *scope = attributes->__scope;
  return 0;
}

static int check(int policy, int priority) {
  return policy == SCHED_OTHER && !priority ? 0 : ENOTSUP;
}
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
  (void)attributes;
  return check(policy, 0);
}
int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attributes,
                                int *restrict policy) {
  (void)attributes;
  *policy = SCHED_OTHER;
  return 0;
}
int pthread_attr_setschedparam(pthread_attr_t *restrict attributes,
                               const struct sched_param *restrict parameters) {
  (void)attributes;
  return check(SCHED_OTHER, parameters->sched_priority);
}
int pthread_attr_getschedparam(const pthread_attr_t *restrict attributes,
                               struct sched_param *restrict parameters) {
  (void)attributes;
  *parameters = (struct sched_param){0};
  return 0;
}
int pthread_setschedparam(pthread_t thread, int policy,
                          const struct sched_param *parameters) {
  (void)thread;
  return check(policy, parameters->sched_priority);
}
int pthread_getschedparam(pthread_t thread, int *restrict policy,
                          struct sched_param *restrict parameters) {
  (void)thread;
  *policy = SCHED_OTHER;
  *parameters = (struct sched_param){0};
  return 0;
}
int pthread_getconcurrency(void) { return 0; }
int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }
