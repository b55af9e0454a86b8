//===-- libc-shim/device/interruption.h - Signals and cancellation --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing stops a GPU thread at any place of its code. Where it waits, and when
// a POSIX call of the host has returned, it looks by itself whether a signal is
// to be handled and whether another thread has cancelled it. Programs without
// handlers, timers and cancellation link none of that: the pointers below stay
// null.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_INTERRUPTION_H
#define GPUEXEC_LIBC_INTERRUPTION_H

#include <stdbool.h>

/// What a look has found, as bits.
typedef enum {
  NOT_INTERRUPTED = 0,
  SIGNAL_HANDLED = 1,   ///< a handler has run
  SIGNAL_STOPS = 2,     ///< the action of one of these lacks SA_RESTART
  THREAD_CANCELLED = 4, ///< the calling thread ends at a cancellation point
  CANCELLED_AT_ONCE = 8 ///< and anywhere: its type is asynchronous
} interruption;

/// Runs the handlers of signals that are pending and not blocked, and looks
/// whether the calling thread is cancelled. Returns bits of `interruption`.
/// `sleeps`: the thread waits for nothing else; in a recording only such
/// threads look at timers, because each look asks the host for the time, and a
/// replay must ask as often. Null: nothing can interrupt the program's threads.
extern unsigned (*__gpuexec_interruption)(bool sleeps);

/// Whether a timer may interrupt the program's threads.
extern bool __gpuexec_has_timers;

/// Ends the calling thread as pthread_exit(PTHREAD_CANCELED) does. Set together
/// with the first cancellation.
extern void (*__gpuexec_end_cancelled)(void);

static inline unsigned look_for_interruption(void) {
  return __gpuexec_interruption ? __gpuexec_interruption(false)
                                : NOT_INTERRUPTED;
}
static inline unsigned look_while_asleep(void) {
  return __gpuexec_interruption ? __gpuexec_interruption(true)
                                : NOT_INTERRUPTED;
}

/// For a cancellation point: does not return if `found` says that the calling
/// thread is cancelled.
static inline void act_on_cancel(unsigned found) {
  if (found & THREAD_CANCELLED)
    __gpuexec_end_cancelled();
}

/// For other places: does not return if the calling thread is cancelled and its
/// type is asynchronous.
static inline void act_on_cancel_at_once(unsigned found) {
  if (found & CANCELLED_AT_ONCE)
    __gpuexec_end_cancelled();
}

#endif
