//===-- libc-shim/process/signal_names.c - What signals are called --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/thread_state.h"
#include <signal.h>
#include <stdio.h>

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
    [SIGSTKFLT] = "Stack fault",
    [SIGCHLD] = "Child exited",
    [SIGCONT] = "Continued",
    [SIGSTOP] = "Stopped (signal)",
    [SIGTSTP] = "Stopped",
    [SIGTTIN] = "Stopped (tty input)",
    [SIGTTOU] = "Stopped (tty output)",
    [SIGURG] = "Urgent I/O condition",
    [SIGXCPU] = "CPU time limit exceeded",
    [SIGXFSZ] = "File size limit exceeded",
    [SIGVTALRM] = "Virtual timer expired",
    [SIGPROF] = "Profiling timer expired",
    [SIGWINCH] = "Window changed",
    [SIGIO] = "I/O possible",
    [SIGPWR] = "Power failure",
    [SIGSYS] = "Bad system call",
};

char *strsignal(int number) {
  const unsigned index = (unsigned)number;
  if (index < sizeof names / sizeof *names && names[index])
    return (char *)names[index];
  thread_state *state = __thread_state();
  if (number >= 34 && number < NSIG)
    snprintf(state->signal, sizeof state->signal, "Real-time signal %d",
             number - 34);
  else
    snprintf(state->signal, sizeof state->signal, "Unknown signal %d", number);
  return state->signal;
}

const char *sigdescr_np(int number) {
  const unsigned index = (unsigned)number;
  return index < sizeof names / sizeof *names ? names[index] : NULL;
}

void psignal(int number, const char *before) {
  fprintf(stderr, "%s%s%s\n", before ? before : "",
          before && *before ? ": " : "", strsignal(number));
}
