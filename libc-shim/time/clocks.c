//===-- libc-shim/time/clocks.c - Clocks ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// clock() and the monotonic clock read the device's counter; the time of day
// comes from the host. Under a loader that does not offer it, time() returns -1
// with ENOSYS. While a run is recorded or replayed, the host is asked for all
// clocks, because a counter has other values in each run.
//===----------------------------------------------------------------------===//
#include "libc-shim/device/host_call.h"
#include "libc-shim/device/replaceable.h"
#include "libc-shim/device/interruption.h"
#include <gpuintrin.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#ifdef __AMDGPU__
// Hz; the loader writes the agent's true frequency here, spec section 4.5.
__attribute__((used, retain,
               visibility("protected"))) uint64_t __llvm_libc_clock_freq =
    100000000;
static uint64_t ticks(void) { return __builtin_readsteadycounter(); }
static uint64_t frequency(void) {
  return *(volatile uint64_t *)&__llvm_libc_clock_freq;
}
#else
static uint64_t ticks(void) { return __nvvm_read_ptx_sreg_globaltimer(); }
static uint64_t frequency(void) { return 1000000000; }
#endif

static int ask_host(rpc_opcode opcode, int clock, struct timespec *to) {
  if (!HOST_HAS_POSIX())
    return fail_with(ENOSYS);
  host_reply reply = __host_call(opcode, (uint64_t)clock, 0, 0);
  if (reply.words[0])
    return fail_with(reply.error);
  if (to)
    *to = (struct timespec){.tv_sec = (time_t)reply.words[1],
                            .tv_nsec = (long)reply.words[2]};
  return 0;
}

static struct timespec steady(void) {
  struct timespec told;
  if (rpc_has_feature(RPC_FEATURE_CALLERS) &&
      !ask_host(RPC_CLOCK_GETTIME, 1, &told))
    return told;
  uint64_t now = ticks(), hz = frequency();
  return (struct timespec){.tv_sec = (time_t)(now / hz),
                           .tv_nsec = (long)(now % hz * 1000000000 / hz)};
}

clock_t clock(void) {
  const struct timespec now = steady();
  return (clock_t)(now.tv_sec * CLOCKS_PER_SEC +
                   now.tv_nsec / (1000000000 / CLOCKS_PER_SEC));
}

int clock_gettime(clockid_t clock, struct timespec *to) {
  switch (clock) {
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
  case CLOCK_THREAD_CPUTIME_ID: // a thread that waits uses its processor too
    *to = steady();
    return 0;
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
    return ask_host(RPC_CLOCK_GETTIME, 0, to);
  case CLOCK_PROCESS_CPUTIME_ID:
    return ask_host(RPC_CLOCK_GETTIME, 2, to);
  default:
    return fail_with(EINVAL);
  }
}

int clock_getres(clockid_t clock, struct timespec *to) {
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)
    return ask_host(RPC_CLOCK_GETRES, 0, to);
  if (clock < CLOCK_REALTIME || clock > CLOCK_BOOTTIME)
    return fail_with(EINVAL);
  long nanoseconds = (long)(1000000000 / frequency());
  if (to)
    *to = (struct timespec){.tv_nsec = nanoseconds ? nanoseconds : 1};
  return 0;
}

int timespec_get(struct timespec *to, int base) {
  return base == TIME_UTC && !clock_gettime(CLOCK_REALTIME, to) ? base : 0;
}

int timespec_getres(struct timespec *to, int base) {
  return base == TIME_UTC && !clock_getres(CLOCK_REALTIME, to) ? base : 0;
}

time_t time(time_t *to) {
  struct timespec now;
  time_t seconds = clock_gettime(CLOCK_REALTIME, &now) ? -1 : now.tv_sec;
  if (to)
    *to = seconds;
  return seconds;
}

int gettimeofday(struct timeval *restrict to, void *restrict zone) {
  (void)zone;
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now))
    return -1;
  to->tv_sec = now.tv_sec;
  to->tv_usec = now.tv_nsec / 1000;
  return 0;
}

static uint64_t steady_ns(void) {
  const struct timespec now = steady();
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/// Waits by polling the counter, and suspends so that other waves run.
int nanosleep(const struct timespec *wanted, struct timespec *left) {
  if (wanted->tv_nsec < 0 || wanted->tv_nsec > 999999999 || wanted->tv_sec < 0)
    return fail_with(EINVAL);
  // A recorded run with a timer must read the same clock as often in a replay:
  // then the loop asks the host.
  const bool told =
      __gpuexec_has_timers && rpc_has_feature(RPC_FEATURE_CALLERS);
  uint64_t hz = told ? 1000000000 : frequency();
  uint64_t start = told ? steady_ns() : ticks();
  uint64_t span = (uint64_t)wanted->tv_sec * hz +
                  (uint64_t)wanted->tv_nsec * hz / 1000000000;
  for (uint64_t passed; (passed = (told ? steady_ns() : ticks()) - start) < span;) {
    const unsigned found = look_while_asleep();
    act_on_cancel(found);
    if (found & SIGNAL_HANDLED) {
      const uint64_t rest = span - passed;
      if (left)
        *left = (struct timespec){(time_t)(rest / hz),
                                  (long)(rest % hz * 1000000000 / hz)};
      return fail_with(EINTR);
    }
    __gpu_thread_suspend();
  }
  if (left)
    *left = (struct timespec){0};
  return 0;
}

REPLACEABLE int usleep(useconds_t microseconds) {
  struct timespec span = {.tv_sec = microseconds / 1000000,
                          .tv_nsec = microseconds % 1000000 * 1000};
  return nanosleep(&span, NULL);
}

REPLACEABLE unsigned sleep(unsigned seconds) {
  struct timespec span = {.tv_sec = seconds}, left;
  return nanosleep(&span, &left) ? (unsigned)left.tv_sec + (left.tv_nsec > 0)
                                 : 0;
}
