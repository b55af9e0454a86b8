//===-- emulator/cuda/libraries/stream.h - Waits for a stream ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The libraries compute on the host, in CUDA's memory: a device's address is
// the host's. Before that they wait for the work of the caller's stream.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_LIBRARIES_STREAM_H
#define GPUEXEC_EMULATOR_CUDA_LIBRARIES_STREAM_H

#include "toolchain/cuda/include/cuda.h"

namespace gpuexec::cuda_libraries {

/// Waits until all has ended that an operation in a stream would wait for: the
/// stream's work and, unless it is one that does not block, that of the default
/// stream. False: some of it failed. A thread without a context has no work to
/// wait for.
inline bool wait_for(void *of) {
  CUstream stream = static_cast<CUstream>(of);
  unsigned flags = 0;
  CUresult result = cuStreamSynchronize(stream);
  if (result == CUDA_SUCCESS && stream &&
      cuStreamGetFlags(stream, &flags) == CUDA_SUCCESS &&
      !(flags & CU_STREAM_NON_BLOCKING))
    result = cuStreamSynchronize(nullptr);
  return result == CUDA_SUCCESS || result == CUDA_ERROR_NOT_INITIALIZED ||
         result == CUDA_ERROR_INVALID_CONTEXT;
}

} // namespace gpuexec::cuda_libraries

#endif
