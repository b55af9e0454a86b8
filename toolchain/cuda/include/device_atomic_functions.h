//===-- device_atomic_functions.h - Atomic functions ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_DEVICE_ATOMIC_FUNCTIONS_H
#define GPUEXEC_CUDA_DEVICE_ATOMIC_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
