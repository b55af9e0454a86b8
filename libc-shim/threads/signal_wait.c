//===-- libc-shim/threads/signal_wait.c - Waits for signals, blocking -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libc-shim/device/normal_time.h"
#include "libc-shim/process/process.h"
#include "libc-shim/process/signals.h"
#include "libc-shim/threads/wait.h"
#include <time.h>
#include <unistd.h>

//===-- Blocked signals ---------------------------------------------------===//

/// The set without the signals that nobody can block.
static uint64_t blockable(uint64_t set) {
  return set & ~(bit_of_signal(SIGKILL) | bit_of_signal(SIGSTOP));
}

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
    state->blocked = blockable(new);
    if ((old ^ state->blocked) & bit_of_signal(SIGALRM) &&
        __gpuexec_alarm_action_changed)
      __gpuexec_alarm_action_changed();
  }
  if (before)
    *before = old;
  __deliver_signals();
  return 0;
}

int sigprocmask(int how, const sigset_t *restrict wanted,
                sigset_t *restrict before) {
  const int error = pthread_sigmask(how, wanted, before);
  return error ? fail_with(error) : 0;
}

int sigpending(sigset_t *set) {
  *set = __pending_signals() & __thread_state()->blocked;
  return 0;
}

//===-- Waits that end with a handler -------------------------------------===//

void __wait_for_handler(void) {
  __watch_signals();
  for (;;) {
    const unsigned found = look_while_asleep();
    if (found & SIGNAL_HANDLED)
      return;
    act_on_cancel(found);
    if (__scoped_atomic_load_n(&__gpuexec_is_over, __ATOMIC_RELAXED,
                               __MEMORY_SCOPE_DEVICE))
      __gpu_exit();
    __gpu_thread_suspend();
  }
}

int pause(void) {
  __wait_for_handler();
  return fail_with(EINTR);
}

int sigsuspend(const sigset_t *mask) {
  thread_state *state = __thread_state();
  const sigset_t before = state->blocked;
  state->blocked = blockable(*mask);
  __wait_for_handler();
  state->blocked = before;
  __deliver_signals();
  return fail_with(EINTR);
}

//===-- Waits that take a signal ------------------------------------------===//

/// Takes a signal of `set` by the deadline (null: never gives up). Returns its
/// number, or -1 with errno EAGAIN, or EINTR after another signal's handler.
static int take_until(const sigset_t *set, siginfo_t *to,
                      const struct timespec *deadline, const char *function) {
  __watch_signals();
  siginfo_t info = {0};
  bool taken = false;
  // Signals of the set are not delivered meanwhile, blocked or not.
  thread_state *state = __thread_state();
  const uint64_t before = state->blocked;
  state->blocked |= *set;
  wait waiting = {.function = function,
                  .object = set,
                  .deadline = deadline,
                  .clock = CLOCK_MONOTONIC,
                  .ends_by = THREAD_CANCELLED | SIGNAL_HANDLED};
  WAIT_UNTIL((taken = __take_signal(*set, &info)), &waiting);
  state->blocked = before;
  act_on_cancel(waiting.found);
  if (!taken)
    return fail_with(waiting.found ? EINTR : EAGAIN);
  if (to) {
    __name_sender(&info);
    *to = info;
  }
  return info.si_signo;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info) {
  return take_until(set, info, NULL, "sigwaitinfo");
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                 const struct timespec *restrict span) {
  if (!span)
    return take_until(set, info, NULL, "sigtimedwait");
  if (span->tv_sec < 0 || !is_time(span))
    return fail_with(EINVAL);
  struct timespec end;
  if (clock_gettime(CLOCK_MONOTONIC, &end))
    return -1;
  end = normal_time(end.tv_sec + span->tv_sec, end.tv_nsec + span->tv_nsec);
  return take_until(set, info, &end, "sigtimedwait");
}

int sigwait(const sigset_t *restrict set, int *restrict number) {
  int taken;
  while ((taken = take_until(set, NULL, NULL, "sigwait")) < 0)
    ;
  *number = taken;
  return 0;
}
