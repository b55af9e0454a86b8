//===-- device_double_functions.h - Device functions ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_DEVICE_DOUBLE_FUNCTIONS_H
#define GPUEXEC_CUDA_DEVICE_DOUBLE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
