//===-- libc-shim/process/timers.c - timer_create() and its family --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A timer's expiries are noticed when a thread looks for signals. Those that
// come while its signal is still pending are counted as overruns.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/lock.h"
#include "libc-shim/process/event.h"
#include "libc-shim/process/signals.h"
#include <string.h>
#include <time.h>

enum { MOST_TIMERS = 64 };
static const int64_t NS = 1000000000;

typedef struct {
  bool exists;
  clockid_t clock;
  struct sigevent event;
  int64_t expiry;   ///< ns of the timer's clock; 0: it is not set
  int64_t interval; ///< ns; 0: it expires once
  int overrun;      ///< of the newest signal that was taken
} posix_timer;

static struct {
  uint32_t lock;
  int end; ///< no timer has had this number or a higher one
  posix_timer all[MOST_TIMERS];
} timers;

static int64_t to_ns(const struct timespec *time) {
  return time->tv_sec > INT64_MAX / NS / 2 ? INT64_MAX / 2
                                           : time->tv_sec * NS + time->tv_nsec;
}
static struct timespec to_time(int64_t ns) {
  return (struct timespec){.tv_sec = ns / NS, .tv_nsec = (long)(ns % NS)};
}
static int64_t now_of(clockid_t clock) {
  struct timespec time = {0};
  clock_gettime(clock, &time);
  return to_ns(&time);
}
static bool is_span(const struct timespec *time) {
  return time->tv_sec >= 0 && time->tv_nsec >= 0 && time->tv_nsec < NS;
}

//===-- Expiry ------------------------------------------------------------===//

/// How often a timer has expired by now; sets the next expiry. The caller holds
/// the lock.
static int64_t count_expiries(posix_timer *timer) {
  const int64_t now = timer->expiry ? now_of(timer->clock) : 0;
  if (!timer->expiry || now < timer->expiry)
    return 0;
  if (!timer->interval) {
    timer->expiry = 0;
    return 1;
  }
  const int64_t count = (now - timer->expiry) / timer->interval + 1;
  timer->expiry += count * timer->interval;
  return count;
}

/// Counts the expiries of a timer, and tells the program of the first that it
/// does not know of yet.
static void look_at(int i) {
  posix_timer *timer = &timers.all[i];
  lock_take(&timers.lock);
  const int64_t count = timer->exists ? count_expiries(timer) : 0;
  const struct sigevent event = timer->event;
  // A signal that is pending stands for later expiries, too.
  const bool told = count && event.sigev_notify == SIGEV_SIGNAL &&
                    __pending_signals() & bit_of_signal(event.sigev_signo);
  const int64_t overrun = told ? timer->overrun + count : count - 1;
  if (count)
    timer->overrun = (int)(overrun < INT32_MAX ? overrun : INT32_MAX);
  const int64_t next = count ? timer->interval : 0;
  lock_release(&timers.lock);
  if (next)
    __wake_host_calls((uint64_t)next);
  const siginfo_t info = {
      .si_code = SI_TIMER, .si_timerid = i, .si_overrun = (int)overrun};
  if (count && !told)
    __carry_out_event(&event, info);
}

static void look_at_timers(void) {
  for (int i = 0; i < timers.end; ++i)
    if (timers.all[i].exists && timers.all[i].expiry)
      look_at(i);
}

//===-- Calls -------------------------------------------------------------===//

static bool has_timers(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC ||
         clock == CLOCK_PROCESS_CPUTIME_ID;
}

/// Takes the lock and finds a timer. Null, with the lock free and errno EINVAL,
/// if there is none.
static posix_timer *lock_timer(timer_t id) {
  lock_take(&timers.lock);
  posix_timer *timer = (uint64_t)id < MOST_TIMERS ? &timers.all[id] : NULL;
  if (timer && timer->exists)
    return timer;
  lock_release(&timers.lock);
  errno = EINVAL;
  return NULL;
}

int timer_create(clockid_t clock, struct sigevent *restrict wanted,
                 timer_t *restrict id) {
  if (!has_timers(clock))
    return fail_with(clock == CLOCK_THREAD_CPUTIME_ID ? ENOTSUP : EINVAL);
  struct sigevent event = {.sigev_signo = SIGALRM,
                           .sigev_notify = SIGEV_SIGNAL};
  if (wanted)
    event = *wanted;
  if (!__is_event(&event))
    return fail_with(EINVAL);
  __gpuexec_look_at_timers = look_at_timers;
  __gpuexec_has_timers = true;
  __watch_signals();
  lock_take(&timers.lock);
  int i = 0;
  while (i < MOST_TIMERS && timers.all[i].exists)
    ++i;
  if (i < MOST_TIMERS) {
    if (!wanted)
      event.sigev_value.sival_int = i;
    timers.all[i] =
        (posix_timer){.exists = true, .clock = clock, .event = event};
    *id = (timer_t)i;
    if (timers.end <= i)
      timers.end = i + 1;
  }
  lock_release(&timers.lock);
  return i < MOST_TIMERS ? 0 : fail_with(EAGAIN);
}

int timer_delete(timer_t id) {
  posix_timer *timer = lock_timer(id);
  if (!timer)
    return -1;
  timer->exists = false;
  lock_release(&timers.lock);
  return 0;
}

/// What timer_gettime() tells; the caller holds the lock.
static struct itimerspec state_of_timer(const posix_timer *timer) {
  const int64_t left = timer->expiry ? timer->expiry - now_of(timer->clock) : 0;
  return (struct itimerspec){.it_interval = to_time(timer->interval),
                             .it_value = to_time(!timer->expiry ? 0
                                                 : left > 0     ? left
                                                                : 1)};
}

int timer_settime(timer_t id, int flags,
                  const struct itimerspec *restrict wanted,
                  struct itimerspec *restrict before) {
  if (!wanted || !is_span(&wanted->it_value) ||
      (to_ns(&wanted->it_value) && !is_span(&wanted->it_interval)))
    return fail_with(EINVAL);
  look_at_timers(); // an expiry before now counts
  __deliver_signals();
  posix_timer *timer = lock_timer(id);
  if (!timer)
    return -1;
  if (before)
    *before = state_of_timer(timer);
  const int64_t value = to_ns(&wanted->it_value);
  timer->interval = value ? to_ns(&wanted->it_interval) : 0;
  timer->expiry = !value                  ? 0
                  : flags & TIMER_ABSTIME ? value
                                          : now_of(timer->clock) + value;
  timer->overrun = 0;
  const int64_t due = timer->expiry ? timer->expiry - now_of(timer->clock) : -1;
  lock_release(&timers.lock);
  if (due >= 0)
    __wake_host_calls((uint64_t)due);
  return 0;
}

int timer_gettime(timer_t id, struct itimerspec *to) {
  look_at_timers();
  posix_timer *timer = lock_timer(id);
  if (!timer)
    return -1;
  *to = state_of_timer(timer);
  lock_release(&timers.lock);
  return 0;
}

int timer_getoverrun(timer_t id) {
  posix_timer *timer = lock_timer(id);
  if (!timer)
    return -1;
  const int overrun = timer->overrun;
  lock_release(&timers.lock);
  return overrun;
}
