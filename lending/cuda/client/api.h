//===-- lending/cuda/client/api.h - For the exported functions --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files api_*.cpp define CUDA's functions for a lent device.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_CLIENT_API_H
#define GPUEXEC_LENDING_CUDA_CLIENT_API_H

// First, for the visibility of what it declares.
#include "emulator/cuda/driver/types.h"

#include "lending/cuda/client/session.h"

namespace gpuexec::lent_cuda {

/// A handle as a number.
template <typename T> uint64_t number_of(T *handle) {
  return reinterpret_cast<uint64_t>(handle);
}

/// INVALID_HANDLE unless the stream is one.
inline CUresult check_stream(CUstream stream) {
  return number_of(stream) <= 2 ||
                 Session::get().has(Kind::stream, number_of(stream))
             ? CUDA_SUCCESS
             : CUDA_ERROR_INVALID_HANDLE;
}

inline CUresult check_device(CUdevice device) {
  GPUEXEC_REQUIRE(Session::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(device == 0, INVALID_DEVICE);
  return CUDA_SUCCESS;
}

} // namespace gpuexec::lent_cuda

#endif
