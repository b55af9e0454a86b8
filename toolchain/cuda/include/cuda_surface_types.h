//===-- cuda_surface_types.h - Surfaces -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_CUDA_SURFACE_TYPES_H
#define GPUEXEC_CUDA_CUDA_SURFACE_TYPES_H

#include "cuda_runtime.h"

#endif
