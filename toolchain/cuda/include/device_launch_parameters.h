//===-- device_launch_parameters.h - threadIdx and its like ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_DEVICE_LAUNCH_PARAMETERS_H
#define GPUEXEC_CUDA_DEVICE_LAUNCH_PARAMETERS_H
// Programs ask for the guard that NVIDIA has here.
#define __DEVICE_LAUNCH_PARAMETERS_H__

#include "cuda_runtime.h"

#endif
