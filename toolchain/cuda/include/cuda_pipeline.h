//===-- cuda_pipeline.h - As cuda_pipeline_primitives.h ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_CUDA_PIPELINE_H
#define GPUEXEC_CUDA_PIPELINE_H
#include <cuda_pipeline_primitives.h>
#endif
