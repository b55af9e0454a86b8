//===-- nvToolsExtCudaRt.h - See nvtx3/nvToolsExtCudaRt.h -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_NVTOOLSEXTCUDART_H
#define GPUEXEC_CUDA_NVTOOLSEXTCUDART_H

#include <nvtx3/nvToolsExtCudaRt.h>

#endif
