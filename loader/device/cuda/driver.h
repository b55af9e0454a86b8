//===-- loader/device/cuda/driver.h - The CUDA driver, opened --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_DRIVER_H
#define GPUEXEC_LOADER_DEVICE_CUDA_DRIVER_H

#include "drivers/cuda.h"
#include "loader/device/backend.h"
#include "loader/device/cuda/fault_report.h"
#include "loader/device/library.h"

#include <chrono>
#include <thread>

namespace gpuexec::cuda {

/// The functions that every driver must have.
#define GPUEXEC_CUDA_FUNCTIONS(F)                                              \
  F(cuInit)                                                                    \
  F(cuGetErrorName)                                                            \
  F(cuGetErrorString)                                                          \
  F(cuDeviceGetCount)                                                          \
  F(cuDeviceGet)                                                               \
  F(cuDeviceGetName)                                                           \
  F(cuDeviceTotalMem_v2)                                                       \
  F(cuDeviceGetAttribute)                                                      \
  F(cuDevicePrimaryCtxSetFlags_v2)                                             \
  F(cuDevicePrimaryCtxRetain)                                                  \
  F(cuDevicePrimaryCtxRelease_v2)                                              \
  F(cuCtxSetCurrent)                                                           \
  F(cuCtxSetLimit)                                                             \
  F(cuModuleLoadDataEx)                                                        \
  F(cuModuleUnload)                                                            \
  F(cuModuleGetFunction)                                                       \
  F(cuModuleGetGlobal_v2)                                                      \
  F(cuFuncGetAttribute)                                                        \
  F(cuMemAlloc_v2)                                                             \
  F(cuMemFree_v2)                                                              \
  F(cuMemGetInfo_v2)                                                           \
  F(cuMemHostAlloc)                                                            \
  F(cuMemHostGetDevicePointer_v2)                                              \
  F(cuMemFreeHost)                                                             \
  F(cuMemHostRegister_v2)                                                      \
  F(cuMemHostUnregister)                                                       \
  F(cuMemcpyHtoDAsync_v2)                                                      \
  F(cuMemcpyDtoHAsync_v2)                                                      \
  F(cuMemsetD8Async)                                                           \
  F(cuPointerGetAttribute)                                                     \
  F(cuStreamCreate)                                                            \
  F(cuStreamDestroy_v2)                                                        \
  F(cuStreamQuery)                                                             \
  F(cuStreamSynchronize)                                                       \
  F(cuLaunchKernel)

/// Functions that are null if the driver is too old. Without memory that is
/// mapped at reserved addresses (CUDA 10.2) the heap is one ordinary
/// allocation; without cuStreamWriteValue32_v2 the loader waits for each
/// kernel; cuLink... is needed only for PTX of several modules.
#define GPUEXEC_CUDA_OPTIONAL_FUNCTIONS(F)                                     \
  F(cuMemAddressReserve)                                                       \
  F(cuMemAddressFree)                                                          \
  F(cuMemCreate)                                                               \
  F(cuMemRelease)                                                              \
  F(cuMemMap)                                                                  \
  F(cuMemUnmap)                                                                \
  F(cuMemSetAccess)                                                            \
  F(cuMemGetAllocationGranularity)                                             \
  F(cuStreamWriteValue32_v2)                                                   \
  F(cuLinkCreate_v2)                                                           \
  F(cuLinkAddData_v2)                                                          \
  F(cuLinkComplete)                                                            \
  F(cuLinkDestroy)

/// How long the end of a copy or kernel is polled before the driver is asked to
/// wait for it.
inline constexpr std::chrono::microseconds POLLING_TIME(200);

/// The functions of the driver.
struct Api {
  GPUEXEC_CUDA_FUNCTIONS(DRIVER_MEMBER)
  GPUEXEC_CUDA_OPTIONAL_FUNCTIONS(DRIVER_MEMBER)

  /// Error unless `result` is success: "cuda: WHAT: REASON (NAME)". Of a fault
  /// the Reason is group_faulted: it is a kernel's, maybe another process's.
  llvm::Error check(CUresult result, const char *what) const;
  std::string describe(CUresult result) const;
  /// Whether this is gpuexec's own driver, for emulated GPUs.
  bool is_emulated = false;
  /// Devices of the same back end that come before this driver's.
  uint32_t others = 0;
  /// Whether the driver can map memory at reserved addresses.
  bool maps_memory() const { return cuMemSetAccess != nullptr; }

  /// How long a starting program waits for memory that other processes use:
  /// when many tests share a device, some end soon.
  std::chrono::milliseconds memory_timeout{10000};
  /// How long a request for memory waits for the driver while a kernel runs.
  std::chrono::milliseconds growth_timeout{5000};
  /// How long the driver may write a core dump after it has reported the fault.
  std::chrono::milliseconds dump_timeout{2000};
  /// Waits until the stream has done all its work. Polls first: the context's
  /// own waits sleep until an interrupt (device.cpp), which takes longer than
  /// copying a megabyte.
  CUresult wait(CUstream stream) const {
    auto end = std::chrono::steady_clock::now() + POLLING_TIME;
    do {
      CUresult result = cuStreamQuery(stream);
      if (result != CUDA_ERROR_NOT_READY)
        return result;
    } while (std::chrono::steady_clock::now() < end);
    return cuStreamSynchronize(stream);
  }
  /// Calls `call` again while it returns "out of memory", at most for
  /// memory_timeout. Returns its last result.
  template <typename Call> CUresult retry_while_out_of_memory(Call call) const {
    auto end = std::chrono::steady_clock::now() + memory_timeout;
    for (std::chrono::milliseconds pause(20);; pause += pause / 2) {
      CUresult result = call();
      if (result != CUDA_ERROR_OUT_OF_MEMORY ||
          std::chrono::steady_clock::now() >= end)
        return result;
      std::this_thread::sleep_for(pause);
    }
  }
};

/// Whether a result means that the program, not the driver, has done something
/// wrong.
bool is_fault(CUresult result);

/// Opens and initialises the driver. Errors: Failure, of Reason::no_device if
/// there is no such library or no GPU.
llvm::Expected<Api> load_driver(const std::string &library);

/// The facts of the driver's device `index`; uses no context.
llvm::Expected<DeviceInfo> describe(const Api &api, uint32_t index);

/// Opens a device. `faults`, if any, must have been made before the driver was
/// loaded; `shared`: as OpenSettings has it.
llvm::Expected<std::unique_ptr<Device>>
open_device(const Api &api, uint32_t index,
            std::unique_ptr<FaultReport> faults = nullptr,
            SharedContext *shared = nullptr);

/// Backend::list with a driver of that name. `emulated`: it is gpuexec's own,
/// and its devices come behind all of `devices`, which have the same back end.
void list_devices(const std::string &library, std::vector<DeviceInfo> &devices,
                  llvm::function_ref<void(llvm::Twine)> warn,
                  bool emulated = false);

} // namespace gpuexec::cuda

#endif
