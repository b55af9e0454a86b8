//===-- offload/blas/worth.h - Is the device worth it? -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What it would save, or has saved: that decides when it is opened, whether a
// call waits for it, and about the program's next run.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_OFFLOAD_BLAS_WORTH_H
#define GPUEXEC_OFFLOAD_BLAS_WORTH_H

#include "offload/blas/state.h"

/// With `notes`: the processor has done a call that the device might do, in so
/// many seconds of its own (without those of calls inside it).
void worth_note(const blas_call *, double seconds);

/// With `notes`: seconds that a device would have saved so far, or may have,
/// where they are worth opening it; else 0.
double worth_of_run(void);

/// Seconds that this call alone is expected to save, where they are worth
/// opening the device; else 0. Takes `notes`.
double worth_of_waiting(const blas_call *);

/// Waits while the device is being opened, where this call is worth it, or the
/// run as a whole is known to be: the processor's calls would take from the
/// thread that opens it what they win. No longer than it would save, nor than a
/// second: a driver may take long, and a library's constructor, which calls us,
/// keeps the thread that opens the device from loading libraries.
void worth_wait_for_opening(const blas_call *);

/// With `notes`, at the process's end: keeps what was learned.
void worth_keep(void);

#endif
