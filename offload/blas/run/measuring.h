//===-- offload/blas/run/measuring.h - How fast cuSOLVER's functions are --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_MEASURING_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_MEASURING_H

#include "offload/blas/run/gpu.h"

/// Measures the functions that the ledger asks for: in a background thread, or
/// at once where calls wait for the device.
void start_measuring(void);

/// Measures one call of the smallest size. The device must have been entered.
int measure_smallest(offload_device *, unsigned function, double *seconds);

#endif
