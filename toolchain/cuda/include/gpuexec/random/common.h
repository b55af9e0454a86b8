//===-- toolchain/cuda/include/gpuexec/random/common.h - What the generators share -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NOLINTBEGIN: the names are those of CUDA's interface.
// The generators are plain C++ that device code (curand_kernel.h) and the
// host's library (libcurand) compile.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_CUDA_RANDOM_COMMON_H
#define GPUEXEC_CUDA_RANDOM_COMMON_H

#include <math.h>
#include <vector_types.h>

#ifdef __CUDA__
#define GPUEXEC_RANDOM static inline __host__ __device__
#else
#define GPUEXEC_RANDOM static inline
#endif

/// What a state keeps of normal numbers: they are made in pairs.
struct gpuexec_random_kept {
  int boxmuller_flag;        ///< boxmuller_extra is there
  int boxmuller_flag_double; ///< boxmuller_extra_double is there
  float boxmuller_extra;
  double boxmuller_extra_double;
};

#endif
// NOLINTEND
