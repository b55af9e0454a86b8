//===-- lending/cuda/worker/driver.h - The driver of a worker ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libcuda that a worker calls for its clients.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_CUDA_WORKER_DRIVER_H
#define GPUEXEC_LENDING_CUDA_WORKER_DRIVER_H

#include "drivers/binding.h"
#include "toolchain/cuda/include/cuda.h"

#include <string>

namespace gpuexec::lent_cuda {

/// Functions that calls.def does not name.
#define GPUEXEC_LENT_CUDA_FUNCTIONS(F)                                         \
  F(cuInit)                                                                    \
  F(cuDriverGetVersion)                                                        \
  F(cuDeviceGet)                                                               \
  F(cuDeviceGetName)                                                           \
  F(cuDeviceGetUuid_v2)                                                        \
  F(cuDeviceGetPCIBusId)                                                       \
  F(cuDeviceTotalMem_v2)                                                       \
  F(cuDeviceGetAttribute)                                                      \
  F(cuDeviceGetDefaultMemPool)                                                 \
  F(cuDeviceGetMemPool)                                                        \
  F(cuDeviceSetMemPool)                                                        \
  F(cuDevicePrimaryCtxRetain)                                                  \
  F(cuDevicePrimaryCtxReset_v2)                                                \
  F(cuCtxDestroy_v2)                                                           \
  F(cuCtxSetCurrent)                                                           \
  F(cuCtxSynchronize)                                                          \
  F(cuCtxSetLimit)                                                             \
  F(cuCtxGetStreamPriorityRange)                                               \
  F(cuModuleLoadDataEx)                                                        \
  F(cuModuleUnload)                                                            \
  F(cuModuleGetFunction)                                                       \
  F(cuModuleGetGlobal_v2)                                                      \
  F(cuModuleGetFunctionCount)                                                  \
  F(cuModuleEnumerateFunctions)                                                \
  F(cuFuncGetName)                                                             \
  F(cuFuncGetAttribute)                                                        \
  F(cuFuncSetAttribute)                                                        \
  F(cuFuncGetParamInfo)                                                        \
  F(cuMemAlloc_v2)                                                             \
  F(cuMemAllocPitch_v2)                                                        \
  F(cuMemFree_v2)                                                              \
  F(cuMemAllocAsync)                                                           \
  F(cuMemAllocFromPoolAsync)                                                   \
  F(cuMemFreeAsync)                                                            \
  F(cuMemHostRegister_v2)                                                      \
  F(cuMemHostUnregister)                                                       \
  F(cuMemHostGetDevicePointer_v2)                                              \
  F(cuPointerGetAttribute)                                                     \
  F(cuMemcpyHtoD_v2)                                                           \
  F(cuMemcpyDtoH_v2)                                                           \
  F(cuCtxGetFlags)                                                             \
  F(cuCtxSetFlags)                                                             \
  F(cuMemcpyHtoDAsync_v2)                                                      \
  F(cuMemcpyDtoHAsync_v2)                                                      \
  F(cuMemcpyDtoDAsync_v2)                                                      \
  F(cuMemcpy3DAsync_v2)                                                        \
  F(cuMemPoolCreate)                                                           \
  F(cuMemPoolDestroy)                                                          \
  F(cuMemPoolGetAttribute)                                                     \
  F(cuMemPoolSetAttribute)                                                     \
  F(cuLaunchKernel)                                                            \
  F(cuLaunchCooperativeKernel)                                                 \
  F(cuLaunchHostFunc)                                                          \
  F(cuStreamSynchronize)                                                       \
  F(cuStreamDestroy_v2)                                                        \
  F(cuEventSynchronize)                                                        \
  F(cuEventDestroy_v2)                                                         \
  F(cuArrayDestroy)                                                            \
  F(cuMipmappedArrayDestroy)                                                   \
  F(cuMipmappedArrayGetLevel)                                                  \
  F(cuTexObjectCreate)                                                         \
  F(cuTexObjectDestroy)                                                        \
  F(cuSurfObjectCreate)                                                        \
  F(cuSurfObjectDestroy)

struct Driver {
  GPUEXEC_LENT_CUDA_FUNCTIONS(DRIVER_MEMBER)
#define OWN(NAME)
#define FORWARD(NAME, MODE, PARAMETERS, ARGUMENTS) DRIVER_MEMBER(NAME)
#include "lending/cuda/calls.def"

  /// The header has an overload of the name.
  CUresult (*cuCtxCreate_v2)(CUcontext *, unsigned, CUdevice) = nullptr;

  /// Opens the library and looks its functions up. Returns what is wrong, or an
  /// empty text.
  std::string open(const std::string &library);
};

} // namespace gpuexec::lent_cuda

#endif
