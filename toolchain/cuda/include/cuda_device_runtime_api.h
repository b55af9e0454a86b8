//===-- cuda_device_runtime_api.h - The runtime in device code ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_CUDA_DEVICE_RUNTIME_API_H
#define GPUEXEC_CUDA_CUDA_DEVICE_RUNTIME_API_H

#include "cuda_runtime_api.h"

#endif
