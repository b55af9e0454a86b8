//===-- device_types.h - Rounding modes of CUDA's runtime ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of CUDA's interface.
// Numbers and layouts of CUDA 12.4.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_DEVICE_TYPES_H
#define GPUEXEC_CUDA_DEVICE_TYPES_H

enum cudaRoundMode {
  cudaRoundNearest = 0,
  cudaRoundZero = 1,
  cudaRoundPosInf = 2,
  cudaRoundMinInf = 3,
};

#endif
// NOLINTEND
