//===-- nvToolsExt.h - See nvtx3/nvToolsExt.h -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_NVTOOLSEXT_H
#define GPUEXEC_CUDA_NVTOOLSEXT_H

#include <nvtx3/nvToolsExt.h>

#endif
