//===-- libc-shim/threads/cancel_state.c - Whether and when to cancel -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file of its own: libraries switch cancellation off in programs that create
// no threads, where this has no effect.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/thread_hooks.h"
#include "libc-shim/threads/threads.h"
#include <errno.h>

/// In place of the calling thread in programs that create none.
static thread only;

static thread *own_thread(void) {
  return __gpuexec_id_of_thread ? thread_of(__gpuexec_id_of_thread()) : &only;
}

static uint32_t load(const uint32_t *word) {
  return __scoped_atomic_load_n(word, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
}

/// Sets or clears a bit of the thread's word. Returns the word before.
static uint32_t change(thread *self, uint32_t bit, bool set) {
  return set ? __scoped_atomic_fetch_or(&self->cancel, bit, __ATOMIC_ACQ_REL,
                                        __MEMORY_SCOPE_DEVICE)
             : __scoped_atomic_fetch_and(&self->cancel, ~bit, __ATOMIC_ACQ_REL,
                                         __MEMORY_SCOPE_DEVICE);
}

unsigned __gpuexec_is_cancelled(void) {
  thread *self = own_thread();
  if (!self || load(&self->ends))
    return NOT_INTERRUPTED;
  const uint32_t word = load(&self->cancel);
  if (!(word & CANCEL_WANTED) || word & CANCEL_OFF)
    return NOT_INTERRUPTED;
  return (unsigned)THREAD_CANCELLED |
         (word & CANCEL_ASYNCHRONOUS ? (unsigned)CANCELLED_AT_ONCE : 0u);
}

int pthread_setcancelstate(int state, int *before) {
  if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
    return EINVAL;
  const uint32_t old =
      change(own_thread(), CANCEL_OFF, state == PTHREAD_CANCEL_DISABLE);
  if (before)
    *before = old & CANCEL_OFF ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
  act_on_cancel_at_once(__gpuexec_is_cancelled());
  return 0;
}

int pthread_setcanceltype(int type, int *before) {
  if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
    return EINVAL;
  const uint32_t old = change(own_thread(), CANCEL_ASYNCHRONOUS,
                              type == PTHREAD_CANCEL_ASYNCHRONOUS);
  if (before)
    *before = old & CANCEL_ASYNCHRONOUS ? PTHREAD_CANCEL_ASYNCHRONOUS
                                        : PTHREAD_CANCEL_DEFERRED;
  act_on_cancel_at_once(__gpuexec_is_cancelled());
  return 0;
}

void pthread_testcancel(void) { act_on_cancel(__gpuexec_is_cancelled()); }
