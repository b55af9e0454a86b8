//===-- offload/blas/run/opening.h - Opening the device and measuring it --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_OPENING_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_OPENING_H

#include "offload/blas/run/gpu.h"

/// Opens the device now. It is ready or closed afterwards.
void open_device(gpu *);
/// Opens the device in a background thread, while the program goes on with the
/// processor. Does nothing where it is open, or being opened.
void start_opening(void);
/// Was opening given up because the process ended?
int opening_was_cut_off(void);

#endif
