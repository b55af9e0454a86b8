//===-- libc-shim/process/event.h - How a request tells of its end --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_EVENT_H
#define GPUEXEC_LIBC_EVENT_H

#include <signal.h>
#include <stdbool.h>

/// Whether the members of `event` have meaningful values.
bool __is_event(const struct sigevent *event);

/// Carries it out, if its members have meaningful values: sends the signal,
/// with `code` as its si_code, or has a thread call the function. Returns 0 or
/// an errno value.
int __carry_out_event(const struct sigevent *event, int code);

#endif
