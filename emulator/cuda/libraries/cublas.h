//===-- emulator/cuda/libraries/cublas.h - What libcublas shares -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle, and what each function does first.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUBLAS_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_CUBLAS_H

#pragma GCC visibility push(default)
#include "toolchain/cuda/include/cublas_api.h"
#pragma GCC visibility pop
#include "emulator/cuda/libraries/host_blas.h"
#include "emulator/cuda/libraries/stream.h"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
};

namespace gpuexec::cublas {

/// What each function does first: waits for the handle's stream.
inline cublasStatus_t begin(cublasHandle_t handle) {
  if (!handle)
    return CUBLAS_STATUS_NOT_INITIALIZED;
  return cuda_libraries::wait_for(handle->stream)
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_EXECUTION_FAILED;
}

/// A place in a matrix by columns.
inline size_t at(int row, int column, int ld) {
  return size_t(column) * size_t(ld) + size_t(row);
}

template <class T>
void copy_matrix(int m, int n, const T *from, int ld, T *to, int to_ld) {
  if (from == to && ld == to_ld)
    return;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      to[at(i, j, to_ld)] = from[at(i, j, ld)];
}

} // namespace gpuexec::cublas

#endif
