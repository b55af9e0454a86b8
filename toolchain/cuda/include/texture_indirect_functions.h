//===-- texture_indirect_functions.h - Textures ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_TEXTURE_INDIRECT_FUNCTIONS_H
#define GPUEXEC_CUDA_TEXTURE_INDIRECT_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
