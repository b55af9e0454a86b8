//===-- surface_functions.h - Surfaces ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_SURFACE_FUNCTIONS_H
#define GPUEXEC_CUDA_SURFACE_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
