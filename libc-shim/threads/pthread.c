//===-- libc-shim/threads/pthread.c - pthread_create() and its family -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/threads/threads.h"
#include <errno.h>
#include <string.h>

int pthread_create(pthread_t *restrict id,
                   const pthread_attr_t *restrict attributes,
                   void *(*start)(void *), void *restrict argument) {
  const int before = errno;
  thread *fresh = __gpuexec_start_thread(start, argument, attributes);
  if (!fresh) {
    errno = before;
    return EAGAIN;
  }
  *id = (pthread_t)fresh;
  return 0;
}

static int join_until(pthread_t id, void **result,
                      const struct timespec *deadline, const char *function) {
  thread *other = thread_of(id);
  act_on_cancel(look_for_interruption());
  if (other == __gpuexec_this_thread())
    return EDEADLK;
  if (state_of(other) & GONE)
    return ESRCH;
  if (state_of(other) & DETACHED)
    return EINVAL;
  wait waiting = {.function = function,
                  .object = other,
                  .deadline = deadline,
                  .ends_by = THREAD_CANCELLED};
  WAIT_UNTIL(state_of(other) & FINISHED, &waiting);
  act_on_cancel(waiting.found);
  if (!(state_of(other) & FINISHED))
    return ETIMEDOUT;
  if (result)
    *result = other->result;
  __gpuexec_forget_thread(other);
  return 0;
}

int pthread_join(pthread_t id, void **result) {
  return join_until(id, result, NULL, "pthread_join");
}
int pthread_timedjoin_np(pthread_t id, void **result,
                         const struct timespec *deadline) {
  return is_time(deadline)
             ? join_until(id, result, deadline, "pthread_timedjoin_np")
             : EINVAL;
}
int pthread_tryjoin_np(pthread_t id, void **result) {
  return state_of(thread_of(id)) & FINISHED ? pthread_join(id, result) : EBUSY;
}

int pthread_detach(pthread_t id) {
  thread *other = thread_of(id);
  if (state_of(other) & GONE)
    return ESRCH;
  const uint32_t before = __scoped_atomic_fetch_or(
      &other->state, DETACHED, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
  if (before & DETACHED)
    return EINVAL;
  if (before & FINISHED)
    __gpuexec_forget_thread(other);
  return 0;
}

int pthread_setname_np(pthread_t id, const char *name) {
  thread *other = thread_of(id);
  if (strlen(name) >= sizeof other->name)
    return ERANGE;
  strcpy(other->name, name);
  return 0;
}
int pthread_getname_np(pthread_t id, char *name, size_t size) {
  const thread *other = thread_of(id);
  if (strlen(other->name) >= size)
    return ERANGE;
  strcpy(name, other->name);
  return 0;
}
