//===-- libc-shim/process/signals.h - Signals of a program ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three parts know of each other: actions (signal_actions.c), what is pending
// (signal_pending.c), and who waits for a signal (threads/signal_wait.c).
// Signals come from the program itself, from its timers, and from outside
// through the host (signal_host.c). Sets are words: bit N - 1 is signal N.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LIBC_SIGNALS_H
#define GPUEXEC_LIBC_SIGNALS_H

#include "libc-shim/device/host_call.h"
#include "libc-shim/device/interruption.h"
#include "libc-shim/device/thread_state.h"
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

static inline bool is_signal(int number) {
  return number >= 1 && number < NSIG;
}
static inline uint64_t bit_of_signal(int number) {
  return (uint64_t)1 << (number - 1);
}
static inline bool is_queued_signal(int number) { return number >= SIGRTMIN; }

//===-- Actions -----------------------------------------------------------===//

/// The current action of a signal: SIG_DFL, SIG_IGN or a handler.
void (*__signal_handler(int number))(int);

/// Does the signal do nothing when it arrives?
bool __signal_is_ignored(int number);

/// Carries out a signal's action in the calling thread. Returns bits of
/// `interruption`; does not return if the action ends the program.
unsigned __carry_out_signal(const siginfo_t *info);

/// Called after SIGALRM's action has changed, or the calling thread has blocked
/// or unblocked it. Null until alarm() or setitimer() sets a timer.
extern void (*__gpuexec_alarm_action_changed)(void);

//===-- The host ----------------------------------------------------------===//

/// Tells the host what the program does with a signal from outside.
void __tell_host_of_action(int number);

/// Ends calls in which other threads wait at the host.
void __interrupt_host_calls(void);

/// The same in `delay_ns`, when a timer will have expired.
void __wake_host_calls(uint64_t delay_ns);

//===-- Pending signals ---------------------------------------------------===//

/// Makes a signal pending for one thread, whose set is *thread, or for the
/// program if that is null. One that is ignored, or pending already and not
/// queued, is dropped. Returns 0, or EAGAIN when no more can be queued.
int __send_signal(uint64_t *thread, const siginfo_t *info);

/// Removes a signal of `wanted` that is pending for the calling thread or for
/// the program: the lowest number, of equal ones the oldest. False if there is
/// none.
bool __take_signal(uint64_t wanted, siginfo_t *info);

/// The set of signals that are pending for the calling thread or the program.
uint64_t __pending_signals(void);

/// From now on threads look for signals where they wait.
void __watch_signals(void);

/// Carries out all signals that are pending for the calling thread or for the
/// program and that the calling thread does not block. Returns bits of
/// `interruption`.
unsigned __deliver_signals(void);

/// Raises a signal for the program rather than for the calling thread: one that
/// the calling thread blocks stays pending until any thread takes it that does
/// not block it. Returns 0, or -1 with errno.
int __raise_in_program(int number);

/// What looks for signals that are due: timers, the host, requests of <aio.h>.
/// Null: not there.
extern void (*__gpuexec_look_at_alarm)(void);
extern void (*__gpuexec_look_at_timers)(void);
extern void (*__gpuexec_look_at_host)(void);
extern void (*__gpuexec_look_at_requests)(void);

/// Set by threads/: the set of signals that other threads have sent to the
/// calling thread; and whether it is cancelled, as bits of `interruption`.
extern uint64_t *(*__gpuexec_signals_of_thread)(void);
extern unsigned (*__gpuexec_look_at_cancellation)(void);

/// A signal from within the program; __name_sender() asks the host for the
/// process and user that sent a signal, where its code says that one did.
siginfo_t __own_signal(int number, int code);
void __name_sender(siginfo_t *info);

/// Waits, as a cancellation point, until a handler has run.
void __wait_for_handler(void);

#endif
