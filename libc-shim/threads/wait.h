//===-- libc-shim/threads/wait.h - Waiting for another thread -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that waits tests a word again and again, and lets other waves run in
// between. A wait that is long is made known to the program's threads
// (threads.h), which find out when all of them wait.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_THREADS_WAIT_H
#define GPUEXEC_LIBC_THREADS_WAIT_H

#include "libc-shim/device/wave.h"
#include <time.h>

/// What a thread waits for.
typedef struct {
  const char *function;            ///< whose call does not return
  const void *object;              ///< its argument
  const struct timespec *deadline; ///< null: for ever
  clockid_t clock;                 ///< the deadline's; 0 is CLOCK_REALTIME
  uint32_t polls;
  bool noted; ///< by note_long_wait
} wait;

/// To be called when the test has failed once more. False when the deadline has
/// passed. Ends the wave when the program is over.
bool __gpuexec_poll(wait *);

/// To be called after __gpuexec_poll(), when the thread goes on.
void __gpuexec_end_wait(wait *);

/// Waits until `condition` holds. Leaves the loop also when the deadline of
/// `waiting` has passed; test the condition again.
#define WAIT_UNTIL(condition, waiting)                                         \
  do {                                                                         \
    while (!(condition) && __gpuexec_poll(waiting))                            \
      ;                                                                        \
    __gpuexec_end_wait(waiting);                                               \
  } while (0)

/// Set by a program that creates threads: is told of each poll of a long wait
/// without a deadline, and of its end.
extern void (*__gpuexec_note_long_wait)(wait *);
extern void (*__gpuexec_note_wait_ended)(wait *);

/// Is it a time that a deadline can be? Else EINVAL.
static inline bool is_time(const struct timespec *time) {
  return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

/// Ends the program where lanes of one wave, in lockstep, would wait for one
/// another.
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
