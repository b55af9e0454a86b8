//===-- driver_functions.h - make_cudaExtent and its like -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_DRIVER_FUNCTIONS_H
#define GPUEXEC_CUDA_DRIVER_FUNCTIONS_H

#include "cuda_runtime_api.h"
#include <gpuexec/make_types.h>

#endif
