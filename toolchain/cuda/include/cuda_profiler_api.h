//===-- cuda_profiler_api.h - cudaProfilerStart and Stop ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_CUDA_PROFILER_API_H
#define GPUEXEC_CUDA_CUDA_PROFILER_API_H

#include "cuda_runtime_api.h"

#endif
