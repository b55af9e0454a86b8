//===-- services/blas/cuda/driver.h - Functions of the CUDA driver -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libcuda.so.1 that BLAS needs. The process has already opened
// the library.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_CUDA_DRIVER_H
#define GPUEXEC_SERVICES_BLAS_CUDA_DRIVER_H

#include "drivers/cuda.h"

#define BLAS_CUDA_FUNCTIONS(F)                                                 \
  F(cuCtxSetCurrent)                                                           \
  F(cuStreamCreate)                                                            \
  F(cuStreamDestroy_v2)                                                        \
  F(cuStreamQuery)                                                             \
  F(cuStreamSynchronize)                                                       \
  F(cuMemAlloc_v2)                                                             \
  F(cuMemFree_v2)                                                              \
  F(cuMemsetD8Async)                                                           \
  F(cuMemcpyHtoDAsync_v2)

typedef struct {
  void *library;
  struct {
    BLAS_CUDA_FUNCTIONS(DRIVER_MEMBER)
  } cuda;
} cuda_driver;

/// Opens the driver. Returns NULL, or why it cannot be used.
const char *open_cuda_driver(cuda_driver *);
void close_cuda_driver(cuda_driver *);

/// Waits until the stream has done all its work; for the first 2 ms without
/// sleeping, because most calls take microseconds.
CUresult wait_for_stream(const cuda_driver *, CUstream stream);
/// Waits without sleeping, for at most so long. CUDA_ERROR_NOT_READY if the
/// stream has not done its work then.
CUresult look_at_stream(const cuda_driver *, CUstream stream,
                        int64_t nanoseconds);

#endif
