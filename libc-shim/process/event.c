//===-- libc-shim/process/event.c - How a request tells of its end --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/process/event.h"
#include "libc-shim/process/process.h"
#include <errno.h>

bool __is_event(const struct sigevent *event) {
  switch (event->sigev_notify) {
  case SIGEV_NONE:
    return true;
  case SIGEV_SIGNAL:
    return event->sigev_signo > 0 && event->sigev_signo < NSIG;
  case SIGEV_THREAD:
    return event->sigev_notify_function;
  default:
    return false;
  }
}

int __carry_out_event(const struct sigevent *event, int code) {
  (void)code;
  if (event->sigev_notify == SIGEV_THREAD)
    event->sigev_notify_function(event->sigev_value);
  return event->sigev_notify == SIGEV_SIGNAL &&
                 __raise_in_program(event->sigev_signo)
             ? errno
             : 0;
}
