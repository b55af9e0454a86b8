//===-- emulator/cuda/libraries/stream.h - Waits for a stream ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The libraries compute on the host, in CUDA's memory: a device's address is
// the host's. Before that they wait for the work of the caller's stream.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_STREAM_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_STREAM_H

#include "toolchain/cuda/include/cuda.h"

namespace gpuexec::cuda_libraries {

/// Waits until the work of a stream has ended. False: some of it failed. A
/// thread without a context has no work to wait for.
inline bool wait_for(void *stream) {
  const CUresult result = cuStreamSynchronize(static_cast<CUstream>(stream));
  return result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_INITIALIZED ||
         result == CUDA_ERROR_INVALID_CONTEXT;
}

} // namespace gpuexec::cuda_libraries

#endif
