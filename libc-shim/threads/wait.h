//===-- libc-shim/threads/wait.h - Waiting for another thread -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that waits polls: it tests its condition, lets other waves run and
// tests again. A program that creates threads is told of long waits, so that it
// detects when all threads wait for one another (deadlock.c).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREADS_WAIT_H
#define GPUEXEC_LIBC_THREADS_WAIT_H

#include "libc-shim/device/interruption.h"
#include "libc-shim/device/wave.h"
#include <time.h>

/// What a thread waits for.
typedef struct {
  const char *function;            ///< the function that waits, for messages
  const void *object;              ///< what it waits for: a mutex, a thread ...
  const struct timespec *deadline; ///< null: for ever
  clockid_t clock;                 ///< the deadline's; 0 is CLOCK_REALTIME
  unsigned ends_by; ///< bits of `interruption` that end the wait
  uint32_t polls;   ///< so far
  bool noted;     ///< __gpuexec_note_long_wait has been told of this wait
  unsigned found; ///< which bits of `ends_by` have ended it
} wait;

/// Called after each failed test of the condition: runs handlers of signals and
/// lets other waves run. False when the deadline has passed, or the wait is
/// interrupted: then `found` says how. Ends the wave when the program is over.
bool __gpuexec_poll(wait *);

/// Called once after the last test, before the thread goes on.
void __gpuexec_end_wait(wait *);

/// Waits until `condition` holds. Leaves the loop also when the deadline of
/// `waiting` has passed or it was interrupted; test the condition again.
#define WAIT_UNTIL(condition, waiting)                                         \
  do {                                                                         \
    while (!(condition) && __gpuexec_poll(waiting))                            \
      ;                                                                        \
    __gpuexec_end_wait(waiting);                                               \
  } while (0)

/// Set by a program that creates threads: called at each poll of a long wait
/// without a deadline, and at the end of such a wait.
extern void (*__gpuexec_note_long_wait)(wait *);
extern void (*__gpuexec_note_wait_ended)(wait *);

/// For functions that do not wait, and that a thread may call in a loop until
/// another one goes on: signals are handled there, too.
static inline void look_without_waiting(void) {
  act_on_cancel_at_once(look_for_interruption());
}

/// Is `time` valid as a deadline? If not, functions fail with EINVAL.
static inline bool is_time(const struct timespec *time) {
  return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/// Aborts the program with a message, in place of a wait of lanes of one wave
/// for one another, which would never end in lockstep.
_Noreturn void __gpuexec_waits_in_wave(const char *function);

/// May a thread of this launch wait for any other one? Not on AMD, where lanes
/// of a wave run in lockstep and the one that waits holds up the others.
static inline bool may_wait_for_any(void) {
#ifdef __AMDGPU__
  return rpc_this_wave().threads == 1;
#else
  return true;
#endif
}

#endif
