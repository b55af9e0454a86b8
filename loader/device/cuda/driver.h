//===-- loader/device/cuda/driver.h - The CUDA driver, opened --*- C++ -*-===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_DRIVER_H
#define GPUEXEC_LOADER_DEVICE_CUDA_DRIVER_H

#include "loader/device/device.h"
#include "loader/device/library.h"
#ifdef GPUEXEC_CUDA_TOOLKIT
#include <cuda.h>
#else
#include "loader/device/cuda/declarations.h"
#endif

namespace gpuexec::cuda {

inline constexpr char SYSTEM_LIBRARY[] = "libcuda.so.1";

/// The functions of the driver.
struct Api {
#define CUDA_FUNCTION(NAME, PARAMETERS) CUresult(*NAME) PARAMETERS = nullptr;
#define CUDA_OPTIONAL_FUNCTION(NAME, PARAMETERS)                               \
  CUresult(*NAME) PARAMETERS = nullptr;
#include "loader/device/cuda/functions.def"

  /// Error unless `result` is success: "cuda: WHAT: REASON (NAME)".
  llvm::Error check(CUresult result, const char *what) const;
  std::string describe(CUresult result) const;
  /// Can the driver map memory at addresses that were reserved before?
  bool maps_memory() const { return cuMemSetAccess != nullptr; }
};

/// True for results that say that the program broke, not the driver.
bool is_fault(CUresult result);

/// The driver, opened and initialised.
llvm::Expected<Api> load_driver(const std::string &library);

/// What device `index` is; touches no context.
llvm::Expected<DeviceInfo> describe(const Api &api, uint32_t index);

llvm::Expected<std::unique_ptr<Device>> open_device(const Api &api,
                                                    uint32_t index);

/// Adds the driver's devices. A driver that is not installed is no news; one
/// that fails is reported through `warn`.
void list_devices(const std::string &library, std::vector<DeviceInfo> &devices,
                  llvm::function_ref<void(llvm::Twine)> warn);

} // namespace gpuexec::cuda

#endif
