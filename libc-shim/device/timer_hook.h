//===-- libc-shim/device/timer_hook.h - Sleeps end when a timer does ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LIBC_TIMER_HOOK_H
#define GPUEXEC_LIBC_TIMER_HOOK_H

#include <stdbool.h>

/// Raises SIGALRM in the calling thread if the timer of alarm() or setitimer()
/// has expired. True if a handler ran. Null until the program sets a timer.
extern bool (*__gpuexec_deliver_alarm)(void);

#endif
