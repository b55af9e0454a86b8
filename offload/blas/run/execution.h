//===-- offload/blas/run/execution.h - A call on the device ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_OFFLOAD_BLAS_RUN_EXECUTION_H
#define GPUEXEC_OFFLOAD_BLAS_RUN_EXECUTION_H

#include "offload/blas/run/call.h"
#include "offload/blas/run/gpu.h"

/// Has the device do the call if that is expected to be faster. True: it is
/// done.
int try_device(gpu *, offload_call *);

#endif
