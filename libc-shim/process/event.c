//===-- libc-shim/process/event.c - How events reach the program ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/process/event.h"
#include "libc-shim/process/signals.h"

void (*__gpuexec_notify_by_thread)(const struct sigevent *);

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

void __carry_out_event(const struct sigevent *event, siginfo_t info) {
  if (!__is_event(event))
    return;
  if (event->sigev_notify == SIGEV_THREAD) {
    __gpuexec_notify_by_thread(event);
  } else if (event->sigev_notify == SIGEV_SIGNAL) {
    info.si_signo = event->sigev_signo;
    info.si_value = event->sigev_value;
    __send_signal(NULL, &info);
  }
}
