//===-- math_functions.h - Math functions ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_MATH_FUNCTIONS_H
#define GPUEXEC_CUDA_MATH_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
