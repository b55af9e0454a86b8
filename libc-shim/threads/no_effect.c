//===-- libc-shim/threads/no_effect.c - What needs no work ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fork() does not copy the process.
//===----------------------------------------------------------------------===//
#include <pthread.h>

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                   void (*child)(void)) {
  (void)prepare;
  (void)parent;
  (void)child;
  return 0;
}
