//===-- emulator/cuda/runtime/thread.cpp - See thread.h -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/thread.h"

namespace gpuexec::cudart {

static cudaError_t &thread_error() {
  thread_local cudaError_t error = cudaSuccess;
  return error;
}

cudaError_t make_current(CUcontext &context) {
  if (cuCtxGetCurrent(&context) == CUDA_SUCCESS && context) {
    unsigned flags = 0; // fails for a context that is destroyed
    if (cuCtxGetFlags(&flags) == CUDA_SUCCESS)
      return cudaSuccess;
  }
  if (CUresult error = cuInit(0))
    return cudaError_t(error);
  // The runtime retains the context once; it lives until cudaDeviceReset().
  if (CUresult error = cuDevicePrimaryCtxRetain(&context, 0))
    return cudaError_t(error);
  return cudaError_t(cuCtxSetCurrent(context));
}

cudaError_t record(cudaError_t error) {
  if (error != cudaSuccess && error != cudaErrorNotReady)
    thread_error() = error;
  return error;
}

cudaError_t last_error(bool clear) {
  cudaError_t &error = thread_error();
  const cudaError_t last = error;
  if (clear && !is_sticky(last))
    error = cudaSuccess;
  return last;
}

void clear_error() { thread_error() = cudaSuccess; }

} // namespace gpuexec::cudart
