//===-- channel_descriptor.h - cudaCreateChannelDesc ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_CHANNEL_DESCRIPTOR_H
#define GPUEXEC_CUDA_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime.h"

#endif
