//===-- libc-shim/process/event.c - How a request tells of its end --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/process/event.h"
#include "libc-shim/process/signals.h"
#include "libc-shim/process/timers.h"

bool __is_event(const struct sigevent *event) {
  switch (event->sigev_notify) {
  case SIGEV_NONE:
    return true;
  case SIGEV_SIGNAL:
    return is_signal(event->sigev_signo);
  case SIGEV_THREAD:
    __gpuexec_allow_threads_for_events();
    return event->sigev_notify_function;
  default:
    return false;
  }
}

int __carry_out_event(const struct sigevent *event, int code) {
  if (event->sigev_notify == SIGEV_NONE || !__is_event(event))
    return 0;
  return __gpuexec_notify(event, __own_signal(event->sigev_signo, code));
}
