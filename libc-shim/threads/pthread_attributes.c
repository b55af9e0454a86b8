//===-- libc-shim/threads/pthread_attributes.c - pthread_attr_t -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the attributes only the detach state has an effect; the others are kept.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/threads/priorities.h"
#include "libc-shim/threads/threads.h"
#include <errno.h>
#include <time.h>

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

int pthread_attr_setstack(pthread_attr_t *attributes, void *stack,
                          size_t size) {
  if (size < PTHREAD_STACK_MIN)
    return EINVAL;
  attributes->__stack = stack;
  attributes->__stack_size = size;
  return 0;
}
int pthread_attr_getstack(const pthread_attr_t *restrict attributes,
                          void **restrict stack, size_t *restrict size) {
  *stack = attributes->__stack;
  *size = attributes->__stack_size;
  return 0;
}

int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy) {
  if (!is_policy(policy))
    return EINVAL;
  attributes->__policy = policy;
  return 0;
}
int pthread_attr_getschedpolicy(const pthread_attr_t *restrict attributes,
                                int *restrict policy) {
  *policy = attributes->__policy;
  return 0;
}
int pthread_attr_setschedparam(pthread_attr_t *restrict attributes,
                               const struct sched_param *restrict parameters) {
  if (!has_priority(attributes->__policy, parameters->sched_priority))
    return EINVAL;
  attributes->__priority = parameters->sched_priority;
  return 0;
}
int pthread_attr_getschedparam(const pthread_attr_t *restrict attributes,
                               struct sched_param *restrict parameters) {
  *parameters = (struct sched_param){.sched_priority = attributes->__priority};
  return 0;
}
/// What pthread_self() names in a program that creates no threads.
static thread only;

/// Null if the thread is gone.
static thread *find(pthread_t id) {
  thread *found = __gpuexec_id_of_thread ? thread_of(id) : &only;
  return state_of(found) & GONE ? NULL : found;
}

int pthread_setschedparam(pthread_t id, int policy,
                          const struct sched_param *parameters) {
  if (!has_priority(policy, parameters->sched_priority))
    return EINVAL;
  thread *found = find(id);
  if (!found)
    return ESRCH;
  found->policy = policy;
  found->priority = parameters->sched_priority;
  return 0;
}
int pthread_getschedparam(pthread_t id, int *restrict policy,
                          struct sched_param *restrict parameters) {
  const thread *found = find(id);
  if (!found)
    return ESRCH;
  *policy = found->policy;
  *parameters = (struct sched_param){.sched_priority = found->priority};
  return 0;
}
int pthread_setschedprio(pthread_t id, int priority) {
  const thread *found = find(id);
  const struct sched_param wanted = {.sched_priority = priority};
  return found ? pthread_setschedparam(id, found->policy, &wanted) : ESRCH;
}
int pthread_getcpuclockid(pthread_t id, clockid_t *clock) {
  if (!find(id))
    return ESRCH;
  *clock = CLOCK_PROCESS_CPUTIME_ID;
  return 0;
}

static int concurrency;
int pthread_getconcurrency(void) { return concurrency; }
int pthread_setconcurrency(int level) {
  if (level < 0)
    return EINVAL;
  concurrency = level;
  return 0;
}
