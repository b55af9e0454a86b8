//===-- libc-shim/process/timers.h - How events reach the program ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_TIMERS_H
#define GPUEXEC_LIBC_TIMERS_H

#include <signal.h>

/// Tells the program of an event, as it asked for: by a signal, to which `info`
/// adds its code, by a thread, or not at all. Returns 0 or EAGAIN.
int __gpuexec_notify(const struct sigevent *event, siginfo_t info);

/// Makes __gpuexec_notify_by_thread ready. A file of its own, since a program
/// that links it has threads.
void __gpuexec_allow_threads_for_events(void);

/// Starts a thread that calls the event's function.
extern void (*__gpuexec_notify_by_thread)(const struct sigevent *);

#endif
