//===-- libc-shim/threads/once.c - pthread_once() -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/threads/wait.h"
#include <pthread.h>

int pthread_once(pthread_once_t *once, void (*function)(void)) {
  enum { NEW, RUNNING, DONE };
  int state = NEW;
  // One lane after the other: if lanes of this wave have the same `once`, the
  // first of them has run the function before the next looks.
  const uint64_t mask = rpc_lane_mask();
  FOR_EACH_LANE(mask) {
    state = NEW;
    if (__scoped_atomic_compare_exchange_n(once, &state, RUNNING, 0,
                                           __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE,
                                           __MEMORY_SCOPE_DEVICE)) {
      function();
      __scoped_atomic_store_n(once, DONE, __ATOMIC_RELEASE,
                              __MEMORY_SCOPE_DEVICE);
    } else {
      wait waiting = {.function = "pthread_once", .object = once};
      WAIT_UNTIL(__scoped_atomic_load_n(once, __ATOMIC_ACQUIRE,
                                        __MEMORY_SCOPE_DEVICE) == DONE,
                 &waiting);
    }
  }
  return 0;
}
