//===-- libc-shim/threads/cancel.c - pthread_cancel() ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Another thread sets a bit; the cancelled one finds it where it looks for
// interruptions, and ends as by pthread_exit().
//===----------------------------------------------------------------------===//
#include "libc-shim/process/signals.h"
#include "libc-shim/threads/threads.h"
#include <errno.h>

static void end(void) { pthread_exit(PTHREAD_CANCELED); }

int pthread_cancel(pthread_t id) {
  thread *other = thread_of(id);
  if (state_of(other) & GONE)
    return ESRCH;
  __gpuexec_end_cancelled = end;
  __gpuexec_look_at_cancellation = __gpuexec_is_cancelled;
  __watch_signals();
  __scoped_atomic_fetch_or(&other->cancel, CANCEL_WANTED, __ATOMIC_ACQ_REL,
                           __MEMORY_SCOPE_DEVICE);
  if (other == __gpuexec_this_thread())
    act_on_cancel_at_once(__gpuexec_is_cancelled());
  else
    __interrupt_host_calls();
  return 0;
}
