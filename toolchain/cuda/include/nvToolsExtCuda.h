//===-- nvToolsExtCuda.h - See nvtx3/nvToolsExtCuda.h -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_NVTOOLSEXTCUDA_H
#define GPUEXEC_CUDA_NVTOOLSEXTCUDA_H

#include <nvtx3/nvToolsExtCuda.h>

#endif
