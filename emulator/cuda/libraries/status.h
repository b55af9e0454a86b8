//===-- emulator/cuda/libraries/status.h - Names of statuses ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_STATUS_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_STATUS_H

#include "toolchain/cuda/include/cublas_api.h"

namespace gpuexec::cuda_libraries {

inline const char *status_name(cublasStatus_t status) {
  switch (status) {
#define NAME(STATUS)                                                           \
  case STATUS:                                                                 \
    return #STATUS;
    NAME(CUBLAS_STATUS_SUCCESS)
    NAME(CUBLAS_STATUS_NOT_INITIALIZED)
    NAME(CUBLAS_STATUS_ALLOC_FAILED)
    NAME(CUBLAS_STATUS_INVALID_VALUE)
    NAME(CUBLAS_STATUS_ARCH_MISMATCH)
    NAME(CUBLAS_STATUS_MAPPING_ERROR)
    NAME(CUBLAS_STATUS_EXECUTION_FAILED)
    NAME(CUBLAS_STATUS_INTERNAL_ERROR)
    NAME(CUBLAS_STATUS_NOT_SUPPORTED)
    NAME(CUBLAS_STATUS_LICENSE_ERROR)
#undef NAME
  }
  return "CUBLAS_STATUS_UNKNOWN";
}

} // namespace gpuexec::cuda_libraries

#endif
