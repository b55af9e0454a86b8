//===-- common_functions.h - clock, printf --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_COMMON_FUNCTIONS_H
#define GPUEXEC_CUDA_COMMON_FUNCTIONS_H

#include "cuda_runtime.h"

#endif
