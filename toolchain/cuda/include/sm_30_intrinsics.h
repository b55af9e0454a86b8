//===-- sm_30_intrinsics.h - Shuffles -------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_SM_30_INTRINSICS_H
#define GPUEXEC_CUDA_SM_30_INTRINSICS_H

#include "cuda_runtime.h"

#endif
