//===-- cuda_texture_types.h - Textures -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_CUDA_TEXTURE_TYPES_H
#define GPUEXEC_CUDA_CUDA_TEXTURE_TYPES_H

#include "cuda_runtime.h"

#endif
