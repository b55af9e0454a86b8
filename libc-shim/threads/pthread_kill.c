//===-- libc-shim/threads/pthread_kill.c - Signals for one thread ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/process/signals.h"
#include "libc-shim/threads/threads.h"
#include <errno.h>
#include <stdlib.h>

static uint64_t *own_signals(void) {
  thread *self = __gpuexec_this_thread();
  return self ? &self->signals : NULL;
}

static int send(thread *to, const siginfo_t *info) {
  if (info->si_signo < 0 || info->si_signo >= NSIG)
    return EINVAL;
  if (state_of(to) & GONE)
    return ESRCH;
  if (info->si_signo == 0)
    return 0;
  if (info->si_signo == SIGKILL)
    _Exit(128 + SIGKILL);
  __gpuexec_signals_of_thread = own_signals;
  const int error = __send_signal(&to->signals, info);
  if (error)
    return error;
  if (to == __gpuexec_this_thread())
    __deliver_signals();
  else
    __interrupt_host_calls();
  return 0;
}

int pthread_kill(pthread_t id, int number) {
  const siginfo_t info = __own_signal(number, SI_TKILL);
  return send(thread_of(id), &info);
}

int pthread_sigqueue(pthread_t id, int number, union sigval value) {
  siginfo_t info = __own_signal(number, SI_QUEUE);
  info.si_value = value;
  return send(thread_of(id), &info);
}
