//===-- libc-shim/process/sigsetjmp.c - Jumps that restore the mask -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass lower_unwinding adds the code that saves the point of return, as for
// setjmp, but keeps the call of sigsetjmp, which saves the mask of blocked
// signals.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_state.h"
#include <setjmp.h>
#include <signal.h>

#undef sigsetjmp

static int save(sigjmp_buf buffer, int save_mask) {
  buffer->__has_signals = save_mask != 0;
  if (save_mask)
    buffer->__signals = __thread_state()->blocked;
  return 0;
}
int sigsetjmp(sigjmp_buf buffer, int save_mask) {
  return save(buffer, save_mask);
}
int __sigsetjmp(sigjmp_buf buffer, int save_mask) {
  return save(buffer, save_mask);
}

_Noreturn void siglongjmp(sigjmp_buf buffer, int value) {
  __thread_state()->alternate_stack.in_use = false; // no handler runs any more
  if (buffer->__has_signals) {
    const sigset_t mask = buffer->__signals;
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
  }
  longjmp(buffer, value);
}
