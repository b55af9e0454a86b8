//===-- libc-shim/process/signal_actions.c - What signals do --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler runs in the thread that the signal is for, on its own stack: when
// the thread raises the signal, unblocks it, waits, or returns from a POSIX
// call. Without a handler the program ends with the status of a program that
// the signal has killed.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/closed_pipe.h"
#include "libc-shim/process/process.h"
#include "libc-shim/process/signals.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// A handler's address with flags of sigaction() in the bits above it, so that
// both change in one atomic exchange.
enum { INFO_BIT = 63, RESET_BIT = 62 };
static uint64_t handlers[NSIG];
static sigset_t masks[NSIG]; // sa_mask of each signal's action
static int flags[NSIG];      // sa_flags of each signal's action

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

static bool is_ignored_by_default(int number) {
  return number == SIGCHLD || number == SIGCONT || number == SIGURG ||
         number == SIGWINCH;
}

bool __signal_is_ignored(int number) {
  const sighandler_t handler = __signal_handler(number);
  return handler == SIG_IGN ||
         (handler == SIG_DFL && is_ignored_by_default(number));
}

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
  const sighandler_t handler = handler_of(word);
  const bool changes = handler != handler_of(before);
  if (handler != SIG_DFL && handler != SIG_IGN)
    __watch_signals();
  if (number == SIGALRM && __gpuexec_alarm_action_changed)
    __gpuexec_alarm_action_changed();
  if (number == SIGPIPE && changes)
    pipe_action_changed(handler);
  if (changes)
    __tell_host_of_action(number);
  if (__signal_is_ignored(number))
    __take_signal(bit_of_signal(number), &(siginfo_t){0});
  return before;
}

sighandler_t signal(int number, sighandler_t handler) {
  if (!can_be_caught(number) || handler == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  flags[number] = SA_RESTART; // as glibc: handlers stay
  masks[number] = 0;
  return handler_of(exchange(number, (uint64_t)handler));
}

int sigaction(int number, const struct sigaction *restrict wanted,
              struct sigaction *restrict before) {
  if (!is_signal(number) || (wanted && !can_be_caught(number)))
    return fail_with(EINVAL);
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

int siginterrupt(int number, int interrupts) {
  if (!can_be_caught(number))
    return fail_with(EINVAL);
  flags[number] =
      interrupts ? flags[number] & ~SA_RESTART : flags[number] | SA_RESTART;
  return 0;
}

/// Runs the handler in `word`; other signals of its mask are blocked meanwhile.
/// errno stays as it was: the thread has not expected the handler here.
static unsigned run_handler(uint64_t word, const siginfo_t *info) {
  const int number = info->si_signo, error = errno;
  thread_state *state = __thread_state();
  const uint64_t before = state->blocked;
  const unsigned found = (unsigned)SIGNAL_HANDLED |
                         (flags[number] & SA_RESTART ? 0u : SIGNAL_STOPS);
  const bool was_in_use = state->alternate_stack.in_use;
  state->alternate_stack.in_use |=
      flags[number] & SA_ONSTACK && state->alternate_stack.size;
  state->blocked |= masks[number];
  if (!(flags[number] & SA_NODEFER))
    state->blocked |= bit_of_signal(number);
  if (word >> INFO_BIT) {
    siginfo_t copy = *info;
    __name_sender(&copy);
    ((void (*)(int, siginfo_t *, void *))(void *)handler_of(word))(number,
                                                                   &copy, NULL);
  } else {
    handler_of(word)(number);
  }
  state->blocked = before;
  state->alternate_stack.in_use = was_in_use;
  errno = error;
  return found;
}

unsigned __carry_out_signal(const siginfo_t *info) {
  const int number = info->si_signo;
  uint64_t word = load(number);
  if (word >> RESET_BIT & 1)
    word = exchange(number, (uint64_t)SIG_DFL);
  const sighandler_t handler = handler_of(word);
  if (handler != SIG_DFL && handler != SIG_IGN)
    return run_handler(word, info);
  if (handler == SIG_IGN || is_ignored_by_default(number))
    return NOT_INTERRUPTED;
  if (number == SIGABRT)
    abort();
  _Exit(128 + number);
}
