//===-- emulator/cuda/libraries/cublas.cpp - Handles and BLAS -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libcublas.so: handles, copies, and the functions that BLAS has, which
// make_cublas.py writes.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/libraries/cublas.h"
#include "emulator/cuda/libraries/status.h"
#include "emulator/cuda/libraries/version.h"
#include <cstring>
#include <new>

using namespace gpuexec::cublas;

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle) {
  if (!handle)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!gpuexec::host_blas::is_there("libcublas"))
    return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = new (std::nothrow) cublasContext;
  return *handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_ALLOC_FAILED;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t handle) {
  delete handle;
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int *version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CUBLAS_STATUS_INVALID_VALUE;
  constexpr gpuexec::cuda_libraries::Version VERSION = {
      CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  *value = VERSION.property(type);
  return CUBLAS_STATUS_SUCCESS;
}

#define GPUEXEC_PROPERTY(SET, GET, TYPE, FIELD)                                \
  cublasStatus_t SET(cublasHandle_t handle, TYPE value) {                      \
    if (!handle)                                                               \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                    \
    handle->FIELD = value;                                                     \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }                                                                            \
  cublasStatus_t GET(cublasHandle_t handle, TYPE *value) {                     \
    if (!handle)                                                               \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                    \
    *value = handle->FIELD;                                                    \
    return CUBLAS_STATUS_SUCCESS;                                              \
  }
GPUEXEC_PROPERTY(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
GPUEXEC_PROPERTY(cublasSetPointerMode_v2, cublasGetPointerMode_v2,
                 cublasPointerMode_t, pointer_mode)
GPUEXEC_PROPERTY(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math_mode)
GPUEXEC_PROPERTY(cublasSetAtomicsMode, cublasGetAtomicsMode,
                 cublasAtomicsMode_t, atomics_mode)

// The host's library has its own memory.
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *, size_t) {
  return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char *cublasGetStatusName(cublasStatus_t status) {
  return gpuexec::cuda_libraries::status_name(status);
}
const char *cublasGetStatusString(cublasStatus_t status) {
  return gpuexec::cuda_libraries::status_name(status);
}

//===-- Copies ------------------------------------------------------------===//

namespace {

cublasStatus_t copy_vector(int n, int size, const void *from, int step,
                           void *to, int to_step, void *stream) {
  if (n < 0 || size <= 0 || step <= 0 || to_step <= 0)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!gpuexec::cuda_libraries::wait_for(stream))
    return CUBLAS_STATUS_MAPPING_ERROR;
  const auto bytes = size_t(size);
  for (size_t i = 0; i < size_t(n); ++i)
    memcpy(static_cast<char *>(to) + i * bytes * size_t(to_step),
           static_cast<const char *>(from) + i * bytes * size_t(step), bytes);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t copy_columns(int rows, int columns, int size, const void *from,
                            int ld, void *to, int to_ld, void *stream) {
  if (rows < 0 || columns < 0 || size <= 0 || ld < rows || to_ld < rows ||
      ld < 1 || to_ld < 1)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!gpuexec::cuda_libraries::wait_for(stream))
    return CUBLAS_STATUS_MAPPING_ERROR;
  const auto bytes = size_t(size);
  for (size_t j = 0; j < size_t(columns); ++j)
    memcpy(static_cast<char *>(to) + j * bytes * size_t(to_ld),
           static_cast<const char *>(from) + j * bytes * size_t(ld),
           bytes * size_t(rows));
  return CUBLAS_STATUS_SUCCESS;
}

} // namespace

#define GPUEXEC_COPIES(WAY)                                                    \
  cublasStatus_t cublas##WAY##Vector(int n, int size, const void *from,        \
                                     int step, void *to, int to_step) {        \
    return copy_vector(n, size, from, step, to, to_step, nullptr);             \
  }                                                                            \
  cublasStatus_t cublas##WAY##VectorAsync(int n, int size, const void *from,   \
                                          int step, void *to, int to_step,     \
                                          cudaStream_t stream) {               \
    return copy_vector(n, size, from, step, to, to_step, stream);              \
  }                                                                            \
  cublasStatus_t cublas##WAY##Matrix(int rows, int columns, int size,          \
                                     const void *from, int ld, void *to,       \
                                     int to_ld) {                              \
    return copy_columns(rows, columns, size, from, ld, to, to_ld, nullptr);    \
  }                                                                            \
  cublasStatus_t cublas##WAY##MatrixAsync(int rows, int columns, int size,     \
                                          const void *from, int ld, void *to,  \
                                          int to_ld, cudaStream_t stream) {    \
    return copy_columns(rows, columns, size, from, ld, to, to_ld, stream);     \
  }
GPUEXEC_COPIES(Set)
GPUEXEC_COPIES(Get)

#include "cublas_library.inc"
