//===-- sm_61_intrinsics.h - Dot products ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_SM_61_INTRINSICS_H
#define GPUEXEC_CUDA_SM_61_INTRINSICS_H

#include "cuda_runtime.h"

#endif
