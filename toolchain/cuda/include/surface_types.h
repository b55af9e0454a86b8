//===-- surface_types.h - Surfaces of CUDA's runtime --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names and values are those of CUDA's interface.
// Numbers and layouts of CUDA 12.4.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_SURFACE_TYPES_H
#define GPUEXEC_CUDA_SURFACE_TYPES_H

enum cudaSurfaceBoundaryMode {
  cudaBoundaryModeZero = 0,
  cudaBoundaryModeClamp = 1,
  cudaBoundaryModeTrap = 2,
};
enum cudaSurfaceFormatMode {
  cudaFormatModeForced = 0,
  cudaFormatModeAuto = 1,
};
typedef unsigned long long cudaSurfaceObject_t;

#endif
// NOLINTEND
