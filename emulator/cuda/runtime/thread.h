//===-- emulator/cuda/runtime/thread.h - What a thread keeps ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime API keeps the last error, the current device and the
// configuration of the next launch for each thread.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_RUNTIME_THREAD_H
#define GPUEXEC_EMULATOR_CUDA_RUNTIME_THREAD_H

#include "emulator/cuda/runtime/types.h"

namespace gpuexec::cudart {

/// Makes the primary context current, unless the thread has one already.
cudaError_t make_current(CUcontext &context);

/// Remembers an error for cudaGetLastError(), and returns it.
cudaError_t record(cudaError_t error);
inline cudaError_t record(CUresult error) { return record(cudaError_t(error)); }

/// True of errors that stay until the process ends, as CUDA documents them.
constexpr bool is_sticky(cudaError_t error) {
  switch (error) {
  case cudaErrorIllegalAddress:
  case cudaErrorLaunchTimeout:
  case cudaErrorAssert:
  case cudaErrorHardwareStackError:
  case cudaErrorIllegalInstruction:
  case cudaErrorMisalignedAddress:
  case cudaErrorInvalidAddressSpace:
  case cudaErrorInvalidPc:
  case cudaErrorLaunchFailure:
    return true;
  default:
    return false;
  }
}

/// The thread's last error. `clear`: forget it, unless it is sticky.
cudaError_t last_error(bool clear);
/// Forgets every error (cudaDeviceReset).
void clear_error();

} // namespace gpuexec::cudart

/// Returns, and records, the error of a call, unless it is success.
#define GPUEXEC_CUDART_TRY(CALL)                                               \
  if (auto try_error = (CALL); int(try_error) != 0)                            \
  return gpuexec::cudart::record(cudaError_t(try_error))
/// Returns, and records, an error unless the condition holds.
#define GPUEXEC_CUDART_REQUIRE(CONDITION, ERROR)                               \
  if (!(CONDITION))                                                            \
  return gpuexec::cudart::record(cudaError##ERROR)
/// For functions that need a context.
#define GPUEXEC_CUDART_CONTEXT()                                               \
  CUcontext context = nullptr;                                                 \
  GPUEXEC_CUDART_TRY(gpuexec::cudart::make_current(context))

#endif
