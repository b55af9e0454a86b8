//===-- drivers/cuda.h - CUDA's driver interface --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares each function of cuda.def. Programs that call the driver open
// libcuda.so.1 at run time and use the declarations for their types alone
// (binding.h); libraries that replace libcuda.so.1 define the functions.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_DRIVERS_CUDA_H
#define GPUEXEC_DRIVERS_CUDA_H

#include "drivers/binding.h"
#include "drivers/cuda_types.h"

#ifdef __cplusplus
extern "C" {
#endif
#define CUDA_FUNCTION(RESULT, NAME, PARAMETERS) RESULT NAME PARAMETERS;
#include "drivers/cuda.def"
#ifdef __cplusplus
}
#endif

#endif
