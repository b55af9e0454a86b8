//===-- libc-shim/threads/no_effect.c - What needs no work ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads are never cancelled, and fork() does not copy the process.
//===----------------------------------------------------------------------===//
#include <errno.h>
#include <pthread.h>

int pthread_setcancelstate(int state, int *before) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  if (before)
    *before = PTHREAD_CANCEL_ENABLE;
  return 0;
}
int pthread_setcanceltype(int type, int *before) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  if (before)
    *before = PTHREAD_CANCEL_DEFERRED;
  return 0;
}
void pthread_testcancel(void) {}
int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                   void (*child)(void)) {
  (void)prepare;
  (void)parent;
  (void)child;
  return 0;
}
