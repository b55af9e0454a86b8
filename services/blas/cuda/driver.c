//===-- services/blas/cuda/driver.c - See driver.h ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "services/blas/cuda/driver.h"
#include <time.h>

const char *open_cuda_driver(cuda_driver *d) {
  memset(d, 0, sizeof *d);
  d->library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!d->library)
    return dlerror();
  if (!bind_functions(d->library, BLAS_CUDA_FUNCTIONS(DRIVER_NAME), &d->cuda))
    return NULL;
  close_cuda_driver(d);
  return "the CUDA driver is too old";
}

void close_cuda_driver(cuda_driver *d) {
  dlclose(d->library);
  memset(d, 0, sizeof *d);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

CUresult look_at_stream(const cuda_driver *d, CUstream stream,
                        int64_t nanoseconds) {
  const int64_t end = now() + nanoseconds;
  CUresult result;
  do
    result = d->cuda.cuStreamQuery(stream);
  while (result == CUDA_ERROR_NOT_READY && now() < end);
  return result;
}

CUresult wait_for_stream(const cuda_driver *d, CUstream stream) {
  const int64_t look_for = 2000000; // nanoseconds
  const CUresult result = look_at_stream(d, stream, look_for);
  return result == CUDA_ERROR_NOT_READY ? d->cuda.cuStreamSynchronize(stream)
                                        : result;
}
