//===-- offload/blas/run/opening.h - Opening the device and measuring it --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_OPENING_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_OPENING_H

#include "offload/blas/run/gpu.h"

/// Opens it now; it is ready or closed then.
void open_device(gpu *);
/// The same in a thread of ours, while the program goes on with the processor.
/// Does nothing where it is open, or being opened.
void start_opening(void);
/// Was it given up because the process ended?
int opening_was_cut_off(void);

#endif
