//===-- libc-shim/process/alarm.c - alarm, setitimer, pause ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's one timer of real time. Where SIGALRM has its default action
// the host ends the program when the timer expires, whatever the GPU computes.
// Where it has a handler, SIGALRM is sent when a thread next looks for signals:
// where it waits, or after a POSIX call of the host.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/process/signals.h"
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { NS = 1000000000, NS_OF_US = 1000 };

// When the timer expires, in ns of the monotonic clock; 0: it is not set.
static uint64_t expiry;
static uint64_t interval; // ns from one expiry to the next; 0: only one expiry

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * NS + (uint64_t)time.tv_nsec;
}
static uint64_t load(const uint64_t *word) {
  return __scoped_atomic_load_n(word, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE);
}
static uint64_t exchange(uint64_t *word, uint64_t value) {
  return __scoped_atomic_exchange_n(word, value, __ATOMIC_ACQ_REL,
                                    __MEMORY_SCOPE_DEVICE);
}

/// The ns from now to `when`, at least 1; 0 if `when` is 0 (no timer).
static uint64_t time_left(uint64_t when) {
  const uint64_t time = now();
  return !when ? 0 : when > time ? when - time : 1;
}

/// Does the timer end the program, whatever that does? A thread that has
/// blocked the signal waits for it by sigwait(), or will let it in.
static bool ends_program(void) {
  return __signal_handler(SIGALRM) == SIG_DFL &&
         !(__thread_state()->blocked & bit_of_signal(SIGALRM));
}

/// Tells the host when to end the program; or, if SIGALRM does not have its
/// default action, that it must not.
static void tell_host(void) {
  const bool ends = ends_program();
  const uint64_t left = time_left(load(&expiry));
  __host_call(RPC_ALARM, ends ? left : 0, 0, 0);
  if (!ends && left)
    __wake_host_calls(left);
}

static void look_at_alarm(void) {
  uint64_t when = load(&expiry);
  if (!when || ends_program() || now() < when)
    return;
  const uint64_t period = load(&interval);
  if (!__scoped_atomic_compare_exchange_n(
          &expiry, &when, period ? now() + period : 0, 0, __ATOMIC_ACQ_REL,
          __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE))
    return; // another thread sends this expiry's signal
  if (period)
    __wake_host_calls(period);
  const siginfo_t info = __own_signal(SIGALRM, SI_KERNEL);
  __send_signal(NULL, &info);
}

/// Sets the timer (in ns) and returns the ns that were left of the one before.
static uint64_t set(uint64_t delay, uint64_t period) {
  __gpuexec_look_at_alarm = look_at_alarm;
  __gpuexec_has_timers = true;
  __watch_signals();
  __gpuexec_alarm_action_changed = tell_host;
  interval = period;
  const uint64_t before = exchange(&expiry, delay ? now() + delay : 0);
  if (delay || before) // alarm(0) without a timer need not call the host
    tell_host();
  return time_left(before);
}

unsigned alarm(unsigned seconds) {
  const uint64_t left = set((uint64_t)seconds * NS, 0);
  const uint64_t rounded = (left + NS / 2) / NS;
  return left && !rounded ? 1 : (unsigned)rounded;
}

useconds_t ualarm(useconds_t delay, useconds_t period) {
  return (useconds_t)(set((uint64_t)delay * NS_OF_US,
                          (uint64_t)period * NS_OF_US) /
                      NS_OF_US);
}

static struct timeval to_timeval(uint64_t ns) {
  return (struct timeval){(time_t)(ns / NS), (long)(ns % NS / NS_OF_US)};
}
static uint64_t to_ns(struct timeval time) {
  return (uint64_t)time.tv_sec * NS + (uint64_t)time.tv_usec * NS_OF_US;
}
static bool is_time(struct timeval time) {
  return time.tv_sec >= 0 && time.tv_usec >= 0 && time.tv_usec < 1000000;
}

/// 0 or an errno value. ITIMER_VIRTUAL and ITIMER_PROF count processor time,
/// which a GPU does not measure.
static int check_timer(int which) {
  return which == ITIMER_REAL ? HOST_HAS_POSIX() ? 0 : ENOSYS
         : which == ITIMER_VIRTUAL || which == ITIMER_PROF ? ENOSYS
                                                           : EINVAL;
}

int getitimer(int which, struct itimerval *to) {
  const int error = check_timer(which);
  if (error)
    return fail_with(error);
  *to = (struct itimerval){to_timeval(load(&interval)),
                           to_timeval(time_left(load(&expiry)))};
  return 0;
}

int setitimer(int which, const struct itimerval *restrict wanted,
              struct itimerval *restrict before) {
  const int error = check_timer(which);
  if (error)
    return fail_with(error);
  if (!is_time(wanted->it_value) || !is_time(wanted->it_interval))
    return fail_with(EINVAL);
  const uint64_t period = load(&interval);
  const uint64_t left =
      set(to_ns(wanted->it_value), to_ns(wanted->it_interval));
  if (before)
    *before = (struct itimerval){to_timeval(period), to_timeval(left)};
  return 0;
}
