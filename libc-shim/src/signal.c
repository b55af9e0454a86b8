//===-- libc-shim/src/signal.c - Handlers within the program --------------===//
// No signal reaches a GPU program from outside; raise() runs the handler in the
// calling thread. Without one the program ends as the signal would end it.
//===----------------------------------------------------------------------===//
#include "call.h"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

static sighandler_t handlers[NSIG];

sighandler_t signal(int number, sighandler_t handler) {
  if (number < 1 || number >= NSIG || number == SIGKILL || number == SIGSTOP) {
    errno = EINVAL;
    return SIG_ERR;
  }
  return __scoped_atomic_exchange_n(&handlers[number], handler,
                                    __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
}

int raise(int number) {
  if (number < 1 || number >= NSIG) {
    errno = EINVAL;
    return -1;
  }
  sighandler_t handler = __scoped_atomic_load_n(
      &handlers[number], __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
  if (handler == SIG_IGN)
    return 0;
  if (handler != SIG_DFL) {
    handler(number);
    return 0;
  }
  if (number == SIGCHLD || number == SIGCONT)
    return 0;
  if (number == SIGABRT)
    abort();
  _Exit(128 + number);
}

static const char *const names[] = {
    [SIGHUP] = "Hangup",
    [SIGINT] = "Interrupt",
    [SIGQUIT] = "Quit",
    [SIGILL] = "Illegal instruction",
    [SIGTRAP] = "Trace/breakpoint trap",
    [SIGABRT] = "Aborted",
    [SIGBUS] = "Bus error",
    [SIGFPE] = "Floating point exception",
    [SIGKILL] = "Killed",
    [SIGUSR1] = "User defined signal 1",
    [SIGSEGV] = "Segmentation fault",
    [SIGUSR2] = "User defined signal 2",
    [SIGPIPE] = "Broken pipe",
    [SIGALRM] = "Alarm clock",
    [SIGTERM] = "Terminated",
    [SIGCHLD] = "Child exited",
    [SIGCONT] = "Continued",
    [SIGSTOP] = "Stopped (signal)",
};

char *strsignal(int number) {
  unsigned index = (unsigned)number;
  return (char *)(index < sizeof names / sizeof *names && names[index]
                      ? names[index]
                      : "Unknown signal");
}

void psignal(int number, const char *before) {
  fprintf(stderr, "%s%s%s\n", before ? before : "",
          before && *before ? ": " : "", strsignal(number));
}
