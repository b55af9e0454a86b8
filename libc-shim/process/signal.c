//===-- libc-shim/process/signal.c - Handlers within the program ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No signal reaches a GPU program from outside. raise() runs the handler in the
// calling thread; without a handler the program ends with the status of a
// program that the signal has killed. kill() of the program itself does the
// same, but a signal that the calling thread blocks then stays pending for any
// thread that does not block it: one in sigsuspend(), or the next that unblocks
// it.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/closed_pipe.h"
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/thread_state.h"
#include "libc-shim/process/process.h"
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A handler's address with flags of sigaction() in the bits above it, so that
// both change in one atomic exchange.
enum { INFO_BIT = 63, RESET_BIT = 62 };
static uint64_t handlers[NSIG];
static sigset_t masks[NSIG]; // sa_mask of each signal's action
static int flags[NSIG];      // sa_flags of each signal's action

static bool is_signal(int number) { return number >= 1 && number < NSIG; }
static bool can_be_caught(int number) {
  return is_signal(number) && number != SIGKILL && number != SIGSTOP;
}
static sighandler_t handler_of(uint64_t word) {
  return (sighandler_t)(word & ((uint64_t)1 << RESET_BIT) - 1);
}
static uint64_t load(int number) {
  return __scoped_atomic_load_n(&handlers[number], __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// Runs the handler of SIGABRT before abort() ends the program. Does nothing
/// when that handler calls abort() itself.
static void before_abort(void) {
  const sighandler_t handler = handler_of(load(SIGABRT));
  thread_state *state = __thread_state();
  if (handler == SIG_DFL || handler == SIG_IGN || state->aborts)
    return;
  state->aborts = true;
  raise(SIGABRT);
}

sighandler_t __signal_handler(int number) { return handler_of(load(number)); }

void (*__gpuexec_alarm_action_changed)(void);

static void raise_pipe(void) { raise(SIGPIPE); }

/// Tells the host whether a write to a closed pipe ends the program: only while
/// SIGPIPE has its default action.
static void pipe_action_changed(sighandler_t handler) {
  const bool handles = handler != SIG_DFL && handler != SIG_IGN;
  __scoped_atomic_store_n(&__gpuexec_closed_pipe, handles ? raise_pipe : NULL,
                          __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  if (HOST_HAS_POSIX())
    __host_call(RPC_PIPE_SIGNAL, handler == SIG_DFL, 0, 0);
}

static uint64_t exchange(int number, uint64_t word) {
  if (number == SIGABRT)
    __scoped_atomic_store_n(&__gpuexec_before_abort, before_abort,
                            __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  const uint64_t before = __scoped_atomic_exchange_n(
      &handlers[number], word, __ATOMIC_ACQ_REL, __MEMORY_SCOPE_DEVICE);
  if (number == SIGALRM && __gpuexec_alarm_action_changed)
    __gpuexec_alarm_action_changed();
  if (number == SIGPIPE && handler_of(word) != handler_of(before))
    pipe_action_changed(handler_of(word));
  return before;
}

sighandler_t signal(int number, sighandler_t handler) {
  if (!can_be_caught(number) || handler == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  flags[number] = SA_RESTART; // as glibc: handlers stay
  return handler_of(exchange(number, (uint64_t)handler));
}

int sigaction(int number, const struct sigaction *restrict wanted,
              struct sigaction *restrict before) {
  if (!is_signal(number) || (wanted && !can_be_caught(number))) {
    errno = EINVAL;
    return -1;
  }
  const struct sigaction new = wanted ? *wanted : (struct sigaction){0};
  if (before) {
    memset(before, 0, sizeof *before);
    before->sa_handler = handler_of(load(number));
    before->sa_mask = masks[number];
    before->sa_flags = flags[number];
  }
  if (wanted) {
    uint64_t word = (uint64_t) new.sa_handler;
    word |= (uint64_t)((new.sa_flags &SA_SIGINFO) != 0) << INFO_BIT;
    word |= (uint64_t)((new.sa_flags &(int)SA_RESETHAND) != 0) << RESET_BIT;
    masks[number] = new.sa_mask;
    flags[number] = new.sa_flags;
    exchange(number, word);
  }
  return 0;
}

static bool is_ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGCONT || number == SIGURG ||
         number == SIGWINCH;
}

static uint64_t bit_of(int number) { return (uint64_t)1 << (number - 1); }

/// Carries out the signal's action. True if a handler has run.
static bool deliver(int number, thread_state *state) {
  uint64_t word = load(number);
  if (word >> RESET_BIT & 1)
    word = exchange(number, (uint64_t)SIG_DFL);
  const sighandler_t handler = handler_of(word);
  if (handler == SIG_IGN)
    return false;
  if (handler != SIG_DFL) {
    const uint64_t before = state->blocked;
    state->blocked |= masks[number];
    if (!(flags[number] & SA_NODEFER))
      state->blocked |= bit_of(number);
    if (word >> INFO_BIT) {
      siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};
      ((void (*)(int, siginfo_t *, void *))(void *)handler)(number, &info,
                                                            NULL);
    } else {
      handler(number);
    }
    state->blocked = before;
    return true;
  }
  if (is_ignored_by_default(number))
    return false;
  if (number == SIGABRT)
    abort();
  _Exit(128 + number);
}

// Signals that are pending for the program: bit N - 1 stands for signal N.
static uint64_t of_program;

static uint64_t pending_of_program(void) {
  return __scoped_atomic_load_n(&of_program, __ATOMIC_ACQUIRE,
                                __MEMORY_SCOPE_DEVICE);
}

/// Removes one signal that the thread does not block from those pending for the
/// thread, else from those pending for the program. Returns its number; 0:
/// there is none.
static int take_pending(thread_state *state) {
  const uint64_t own = state->pending & ~state->blocked;
  if (own) {
    state->pending &= ~(own & -own);
    return __builtin_ctzll(own) + 1;
  }
  for (uint64_t now; (now = pending_of_program() & ~state->blocked);) {
    const uint64_t first = now & -now;
    if (__scoped_atomic_fetch_and(&of_program, ~first, __ATOMIC_ACQ_REL,
                                  __MEMORY_SCOPE_DEVICE) &
        first)
      return __builtin_ctzll(first) + 1;
  }
  return 0;
}

bool __deliver_signals(void) {
  thread_state *state = __thread_state();
  bool handled = false;
  for (int number; (number = take_pending(state));)
    handled |= deliver(number, state);
  return handled;
}

int raise(int number) {
  if (number == 0)
    return 0; // as kill(): a check that the process exists
  if (!is_signal(number)) {
    errno = EINVAL;
    return -1;
  }
  __thread_state()->pending |= bit_of(number);
  __deliver_signals();
  return 0;
}

int __raise_in_program(int number) {
  if (!is_signal(number) || !(__thread_state()->blocked & bit_of(number)))
    return raise(number);
  __scoped_atomic_fetch_or(&of_program, bit_of(number), __ATOMIC_ACQ_REL,
                           __MEMORY_SCOPE_DEVICE);
  return 0;
}

//===-- Blocked signals ---------------------------------------------------===//

int pthread_sigmask(int how, const sigset_t *restrict wanted,
                    sigset_t *restrict before) {
  thread_state *state = __thread_state();
  const uint64_t old = state->blocked;
  if (wanted) {
    uint64_t new = *wanted;
    if (how == SIG_BLOCK)
      new |= old;
    else if (how == SIG_UNBLOCK)
      new = old & ~new;
    else if (how != SIG_SETMASK)
      return EINVAL;
    state->blocked = new & ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
  }
  if (before)
    *before = old;
  __deliver_signals();
  return 0;
}

int sigprocmask(int how, const sigset_t *restrict wanted,
                sigset_t *restrict before) {
  const int error = pthread_sigmask(how, wanted, before);
  if (error)
    errno = error;
  return error ? -1 : 0;
}

int sigpending(sigset_t *set) {
  *set = __thread_state()->pending | pending_of_program();
  return 0;
}

int sigaltstack(const stack_t *restrict wanted, stack_t *restrict before) {
  (void)wanted;
  (void)before;
  errno = ENOSYS;
  return -1;
}
int siginterrupt(int number, int interrupts) {
  (void)interrupts;
  if (is_signal(number))
    return 0;
  errno = EINVAL;
  return -1;
}

//===-- Sets --------------------------------------------------------------===//

int sigemptyset(sigset_t *set) {
  *set = 0;
  return 0;
}
int sigfillset(sigset_t *set) {
  *set = ~(sigset_t)0;
  return 0;
}
static int not_a_signal(void) {
  errno = EINVAL;
  return -1;
}
int sigaddset(sigset_t *set, int number) {
  if (!is_signal(number))
    return not_a_signal();
  *set |= (sigset_t)1 << (number - 1);
  return 0;
}
int sigdelset(sigset_t *set, int number) {
  if (!is_signal(number))
    return not_a_signal();
  *set &= ~((sigset_t)1 << (number - 1));
  return 0;
}
int sigismember(const sigset_t *set, int number) {
  if (!is_signal(number))
    return not_a_signal();
  return (int)(*set >> (number - 1) & 1);
}

//===-- Texts -------------------------------------------------------------===//

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
