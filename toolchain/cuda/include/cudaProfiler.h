//===-- cudaProfiler.h - Profiling by the driver --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_CUDAPROFILER_H
#define GPUEXEC_CUDA_CUDAPROFILER_H

#include "cuda.h"

#endif
