//===-- emulator/cuda/runtime/forward.h - Calls of the driver ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_RUNTIME_FORWARD_H
#define GPUEXEC_EMULATOR_CUDA_RUNTIME_FORWARD_H

#include "emulator/cuda/runtime/thread.h"

/// A function that hands its arguments on to the driver, with a context.
#define FORWARD(NAME, DRIVER_NAME, PARAMETERS, ARGUMENTS)                      \
  cudaError_t NAME PARAMETERS {                                                \
    GPUEXEC_CUDART_CONTEXT();                                                  \
    return record(DRIVER_NAME ARGUMENTS);                                      \
  }

#endif
