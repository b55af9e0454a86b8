//===-- services/blas/cuda/driver.h - What we use of the CUDA driver ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of libcuda.so.1, by what they do;
// those that return int give a CUresult, 0 when all is well.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_SERVICES_BLAS_CUDA_DRIVER_H
#define GPUEXEC_SERVICES_BLAS_CUDA_DRIVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  void *library;
  int (*set_current)(void *context); ///< of this thread
  int (*create_stream)(void **stream, unsigned flags);
  int (*destroy_stream)(void *stream);
  int (*query_stream)(void *stream); ///< CUDA_NOT_READY while it works
  int (*synchronize_stream)(void *stream);
  int (*allocate)(uint64_t *address, size_t size);
  int (*free)(uint64_t address);
  int (*fill)(uint64_t address, unsigned char value, size_t size, void *stream);
  int (*upload)(uint64_t to, const void *from, size_t size, void *stream);
} cuda_driver;

enum { CUDA_NOT_READY = 600, CUDA_STREAM_NON_BLOCKING = 1 };

/// Opens the driver, which the process has opened before. NULL, or why it
/// cannot be used.
const char *open_cuda_driver(cuda_driver *);
void close_cuda_driver(cuda_driver *);

/// Waits until the stream has done all: for a while without sleeping, for most
/// calls take microseconds. 0 or a CUresult.
int wait_for_stream(const cuda_driver *, void *stream);

#endif
