//===-- libc-shim/process/event.h - How events reach the program ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_EVENT_H
#define GPUEXEC_LIBC_EVENT_H

#include <signal.h>
#include <stdbool.h>

/// Whether the members of `event` have meaningful values. One that asks for a
/// thread makes the program ready for that.
bool __is_event(const struct sigevent *event);

/// Carries it out, if its members have meaningful values: sends the signal, to
/// which `info` adds what siginfo_t tells besides number and value, or has a
/// thread call the function.
void __carry_out_event(const struct sigevent *event, siginfo_t info);

/// Makes __gpuexec_notify_by_thread ready. In threads/, since a program that
/// links it has threads.
void __gpuexec_allow_threads_for_events(void);

/// Starts a thread that calls the event's function.
extern void (*__gpuexec_notify_by_thread)(const struct sigevent *);

#endif
