//===-- emulator/cuda/driver/api.h - For the exported functions -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files api_*.cpp define CUDA's functions: they check arguments, look
// handles up, and call the objects. Include this header there alone.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_API_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_API_H

#include "emulator/cuda/driver/driver.h"
#include "emulator/cuda/driver/limits.h"

/// Returns the error of a call, unless it is success.
#define GPUEXEC_TRY(CALL)                                                      \
  if (CUresult try_error = (CALL); try_error != CUDA_SUCCESS)                  \
  return try_error
/// Returns an error unless the condition holds.
#define GPUEXEC_REQUIRE(CONDITION, ERROR)                                      \
  if (!(CONDITION))                                                            \
  return CUDA_ERROR_##ERROR
/// `context`: the calling thread's; returns where it has none.
#define GPUEXEC_CURRENT(context)                                               \
  std::shared_ptr<gpuexec::cuda::Context> context;                             \
  GPUEXEC_TRY(gpuexec::cuda::current(context))

#endif
