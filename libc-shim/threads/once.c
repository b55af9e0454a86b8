//===-- libc-shim/threads/once.c - pthread_once() -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/threads/wait.h"
#include <pthread.h>

enum { NEW, RUNNING, DONE };

static void store(pthread_once_t *once, int state) {
  __scoped_atomic_store_n(once, state, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
}
static void begin_again(void *once) { store(once, NEW); }

/// Calls the function. If its thread is cancelled meanwhile, it counts as never
/// called.
static void call(pthread_once_t *once, void (*function)(void)) {
  struct __gpuexec_cleanup cleanup = {begin_again, once, NULL};
  if (__gpuexec_push_cleanup_if_any)
    __gpuexec_push_cleanup_if_any(&cleanup);
  function();
  if (__gpuexec_pop_cleanup_if_any)
    __gpuexec_pop_cleanup_if_any(&cleanup, 0);
  store(once, DONE);
}

/// Whether the function has been called: by another thread, or now by this one,
/// if no other has begun, or one was cancelled in it.
static bool is_done(pthread_once_t *once, void (*function)(void)) {
  int state = NEW;
  if (!__scoped_atomic_compare_exchange_n(once, &state, RUNNING, 0,
                                          __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE,
                                          __MEMORY_SCOPE_DEVICE))
    return state == DONE;
  call(once, function);
  return true;
}

int pthread_once(pthread_once_t *once, void (*function)(void)) {
  look_without_waiting();
  // One lane after the other: if lanes of this wave have the same `once`, the
  // first of them has run the function before the next looks.
  const uint64_t mask = rpc_lane_mask();
  FOR_EACH_LANE(mask) {
    wait waiting = {.function = "pthread_once", .object = once};
    WAIT_UNTIL(is_done(once, function), &waiting);
  }
  return 0;
}
