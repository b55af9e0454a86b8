//===-- libc-shim/unwind/pthread_once.cpp - A function once, in C++ -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The linker finds it in front of libc-shim/threads/once.c, in programs of C++:
// a call that ends with an exception does not count, and the next thread calls
// the function again, as std::call_once() has it.
//===----------------------------------------------------------------------===//
extern "C" {
#include "libc-shim/threads/wait.h"
}
#include <pthread.h>

namespace {

enum { NEW, RUNNING, DONE };

int state_of(const pthread_once_t *once) {
  return __scoped_atomic_load_n(once, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
}
void set_state(pthread_once_t *once, int state) {
  __scoped_atomic_store_n(once, state, __ATOMIC_RELEASE,
                          __MEMORY_SCOPE_DEVICE);
}
bool begin(pthread_once_t *once) {
  int state = NEW;
  return __scoped_atomic_compare_exchange_n(once, &state, RUNNING, false,
                                            __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE,
                                            __MEMORY_SCOPE_DEVICE);
}

/// Calls the function, or waits for the thread that does.
void call(pthread_once_t *once, void (*function)()) {
  while (state_of(once) != DONE) {
    if (!begin(once)) {
      wait waiting = {.function = "pthread_once", .object = once};
      WAIT_UNTIL(state_of(once) != RUNNING, &waiting);
      continue;
    }
    try {
      function();
    } catch (...) {
      set_state(once, NEW);
      throw;
    }
    set_state(once, DONE);
  }
}

} // namespace

extern "C" int pthread_once(pthread_once_t *once, void (*function)(void)) {
  // One lane after the other: the first of this wave has called the function,
  // or failed to, before the next looks.
  const uint64_t mask = rpc_lane_mask();
  FOR_EACH_LANE(mask) { call(once, function); }
  return 0;
}
