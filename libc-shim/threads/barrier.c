//===-- libc-shim/threads/barrier.c - pthread_barrier_t -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/threads/process_shared.h"
#include "libc-shim/threads/wait.h"
#include <errno.h>
#include <pthread.h>

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) {
  *attributes = (pthread_barrierattr_t){0};
  return 0;
}
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) {
  (void)attributes;
  return 0;
}
PROCESS_SHARED(barrierattr)

int pthread_barrier_init(pthread_barrier_t *restrict barrier,
                         const pthread_barrierattr_t *restrict attributes,
                         unsigned threads) {
  (void)attributes;
  if (!threads)
    return EINVAL;
  *barrier = (pthread_barrier_t){.__threads = threads};
  return 0;
}
int pthread_barrier_destroy(pthread_barrier_t *barrier) {
  return barrier->__arrived ? EBUSY : 0;
}

static uint32_t round_of(const pthread_barrier_t *barrier) {
  return __scoped_atomic_load_n(&barrier->__round, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
  if (!may_wait_for_any() && barrier->__threads > 1)
    __gpuexec_waits_in_wave("pthread_barrier_wait");
  const uint32_t round = round_of(barrier), threads = barrier->__threads;
  const uint32_t before = __scoped_atomic_fetch_add(
      &barrier->__arrived, 1, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
  if (before + 1 == threads) {
    __scoped_atomic_store_n(&barrier->__arrived, 0, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
    __scoped_atomic_store_n(&barrier->__round, round + 1, __ATOMIC_RELEASE,
                            __MEMORY_SCOPE_DEVICE);
    return PTHREAD_BARRIER_SERIAL_THREAD;
  }
  wait waiting = {.function = "pthread_barrier_wait", .object = barrier};
  WAIT_UNTIL(round_of(barrier) != round, &waiting);
  return 0;
}
