//===-- libc-shim/threads/wait.c - Waiting for another thread -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See wait.h.
//===----------------------------------------------------------------------===//
#include "libc-shim/threads/wait.h"
#include "libc-shim/process/process.h"
#include <stdio.h>
#include <stdlib.h>

void (*__gpuexec_note_long_wait)(wait *);
void (*__gpuexec_note_wait_ended)(wait *);

/// A wait of more than this many polls, tens of microseconds, is long.
enum { SHORT_POLLS = 100 };

static bool has_passed(const wait *waiting) {
  struct timespec now;
  if (clock_gettime(waiting->clock, &now))
    return true;
  const struct timespec *end = waiting->deadline;
  return now.tv_sec > end->tv_sec ||
         (now.tv_sec == end->tv_sec && now.tv_nsec >= end->tv_nsec);
}

/// Runs handlers of pending signals. True if the wait ends.
/// *handled: whether one has run.
static bool is_interrupted(wait *waiting, bool *handled) {
  const unsigned found = __gpuexec_interruption(
      waiting->ends_by & (SIGNAL_HANDLED | SIGNAL_STOPS));
  *handled = found & SIGNAL_HANDLED;
  if (!(waiting->ends_by & THREAD_CANCELLED))
    act_on_cancel_at_once(found);
  waiting->found = found & waiting->ends_by;
  return waiting->found;
}

bool __gpuexec_poll(wait *waiting) {
  if (__scoped_atomic_load_n(&__gpuexec_is_over, __ATOMIC_RELAXED,
                             __MEMORY_SCOPE_DEVICE))
    __gpu_exit();
  bool handled = false;
  if (__gpuexec_interruption && is_interrupted(waiting, &handled))
    return false;
  if (handled) // it took time: the condition may hold, though it is late now
    return true;
  if (waiting->deadline) {
    if (has_passed(waiting))
      return false;
  } else if (++waiting->polls > SHORT_POLLS && __gpuexec_note_long_wait &&
             !__gpuexec_interruption) {
    // Where signals can interrupt, one may end what the threads wait for.
    __gpuexec_note_long_wait(waiting);
  }
  __gpu_thread_suspend();
  return true;
}

void __gpuexec_end_wait(wait *waiting) {
  if (waiting->noted)
    __gpuexec_note_wait_ended(waiting);
}

void __gpuexec_waits_in_wave(const char *function) {
  fprintf(stderr,
          "gpuexec: %s: a thread waits for a thread of its own wave, which "
          "cannot go on meanwhile\n",
          function);
  abort();
}
