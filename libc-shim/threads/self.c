//===-- libc-shim/threads/self.c - pthread_self() -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/threads/owner.h"
#include <pthread.h>

/// In programs that create no threads, the ID of each thread of the grid is its
/// number (owner.h).
pthread_t pthread_self(void) {
  return __gpuexec_id_of_thread ? __gpuexec_id_of_thread() : own_number();
}
int pthread_equal(pthread_t first, pthread_t second) { return first == second; }
