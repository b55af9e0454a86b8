//===-- libc-shim/process/signal_system_v.c - sigset() and its family -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/process/signals.h"
#include <stdio.h>

/// Blocks or unblocks one signal. Returns whether it was blocked, or -1 with
/// errno EINVAL.
static int block(int how, int number) {
  if (!is_signal(number))
    return fail_with(EINVAL);
  const sigset_t set = bit_of_signal(number);
  sigset_t before;
  sigprocmask(how, &set, &before);
  return (before & set) != 0;
}

int sighold(int number) { return block(SIG_BLOCK, number) < 0 ? -1 : 0; }
int sigrelse(int number) { return block(SIG_UNBLOCK, number) < 0 ? -1 : 0; }
int sigignore(int number) {
  const struct sigaction action = {.sa_handler = SIG_IGN};
  return sigaction(number, &action, NULL);
}

int sigpause(int number) {
  if (!is_signal(number))
    return fail_with(EINVAL);
  const sigset_t set = __thread_state()->blocked & ~bit_of_signal(number);
  return sigsuspend(&set);
}

sighandler_t sigset(int number, sighandler_t wanted) {
  if (wanted == SIG_HOLD) {
    struct sigaction before;
    if (sigaction(number, NULL, &before))
      return SIG_ERR;
    const int was_blocked = block(SIG_BLOCK, number);
    return was_blocked < 0 ? SIG_ERR
           : was_blocked   ? SIG_HOLD
                           : before.sa_handler;
  }
  const struct sigaction action = {.sa_handler = wanted};
  struct sigaction before;
  if (wanted == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  if (sigaction(number, &action, &before))
    return SIG_ERR;
  return block(SIG_UNBLOCK, number) ? SIG_HOLD : before.sa_handler;
}

//===-- Alternate stacks --------------------------------------------------===//

int sigaltstack(const stack_t *restrict wanted, stack_t *restrict before) {
  thread_state *state = __thread_state();
  if (wanted && wanted->ss_flags & ~(SS_DISABLE | SS_ONSTACK))
    return fail_with(EINVAL);
  if (wanted && !(wanted->ss_flags & SS_DISABLE) &&
      wanted->ss_size < MINSIGSTKSZ)
    return fail_with(ENOMEM);
  const stack_t old = {.ss_sp = state->alternate_stack.start,
                       .ss_size = state->alternate_stack.size,
                       .ss_flags = state->alternate_stack.in_use ? SS_ONSTACK
                                   : state->alternate_stack.size ? 0
                                                                 : SS_DISABLE};
  if (wanted && state->alternate_stack.in_use)
    return fail_with(EPERM);
  if (wanted) {
    const bool off = wanted->ss_flags & SS_DISABLE;
    state->alternate_stack.start = off ? NULL : wanted->ss_sp;
    state->alternate_stack.size = off ? 0 : wanted->ss_size;
  }
  if (before)
    *before = old;
  return 0;
}

void psiginfo(const siginfo_t *info, const char *before) {
  fprintf(stderr, "%s%s%s (code %d, process %d, user %u)\n",
          before ? before : "", before && *before ? ": " : "",
          strsignal(info->si_signo), info->si_code, info->si_pid,
          (unsigned)info->si_uid);
}
