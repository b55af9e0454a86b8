//===-- loader/device/cuda/driver.cpp - The CUDA driver, opened -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/driver.h"

namespace gpuexec::cuda {

std::string Api::describe(CUresult result) const {
  const char *name = nullptr, *text = nullptr;
  if (cuGetErrorName(result, &name) != CUDA_SUCCESS || !name)
    return llvm::formatv("error {0}", int(result)).str();
  if (cuGetErrorString(result, &text) != CUDA_SUCCESS || !text)
    return name;
  return llvm::formatv("{0} ({1})", text, name).str();
}

llvm::Error Api::check(CUresult result, const char *what) const {
  if (result == CUDA_SUCCESS)
    return llvm::Error::success();
  return failure(is_fault(result) ? Reason::group_faulted : Reason::failed,
                 "cuda: {0}: {1}", what, describe(result));
}

bool is_fault(CUresult result) {
  switch (result) {
  case CUDA_ERROR_ILLEGAL_ADDRESS:
  case CUDA_ERROR_ASSERT:
  case CUDA_ERROR_HARDWARE_STACK_ERROR:
  case CUDA_ERROR_ILLEGAL_INSTRUCTION:
  case CUDA_ERROR_MISALIGNED_ADDRESS:
  case CUDA_ERROR_INVALID_ADDRESS_SPACE:
  case CUDA_ERROR_INVALID_PC:
  case CUDA_ERROR_LAUNCH_FAILED:
    return true;
  default:
    return false;
  }
}

static llvm::Expected<Api> load_functions(const std::string &name) {
  llvm::Expected<Library> library = Library::open(name);
  if (!library)
    return failure(Reason::no_device, "{0}",
                   llvm::toString(library.takeError()));
  Api api;
#define REQUIRE(NAME)                                                          \
  if (!(api.NAME = library->symbol<decltype(api.NAME)>(#NAME)))                \
    return failure(Reason::failed, "{0}: missing symbol '{1}'", name, #NAME);
  GPUEXEC_CUDA_FUNCTIONS(REQUIRE)
#undef REQUIRE
#define TRY(NAME) api.NAME = library->symbol<decltype(api.NAME)>(#NAME);
  GPUEXEC_CUDA_OPTIONAL_FUNCTIONS(TRY)
#undef TRY
  return api;
}

llvm::Expected<Api> load_driver(const std::string &library) {
  llvm::Expected<Api> api = load_functions(library);
  if (!api)
    return api.takeError();
  const CUresult result = api->cuInit(0);
  if (result == CUDA_ERROR_NO_DEVICE)
    return failure(Reason::no_device, "cuda: cuInit: {0}",
                   api->describe(result));
  if (llvm::Error error = api->check(result, "cuInit"))
    return std::move(error);
  return api;
}

void list_devices(const std::string &library, std::vector<DeviceInfo> &devices,
                  llvm::function_ref<void(llvm::Twine)> warn, bool emulated) {
  llvm::Expected<Api> api = load_functions(library);
  if (!api)
    return llvm::consumeError(api.takeError());
  api->is_emulated = emulated;
  api->others = emulated ? uint32_t(devices.size()) : 0;
  CUresult result = api->cuInit(0);
  if (result == CUDA_ERROR_NO_DEVICE)
    return;
  if (llvm::Error error = api->check(result, "cuInit"))
    return warn(llvm::toString(std::move(error)));
  int count = 0;
  api->cuDeviceGetCount(&count);
  for (int index = 0; index < count; ++index) {
    llvm::Expected<DeviceInfo> info = describe(*api, index);
    if (info)
      devices.push_back(std::move(*info));
    else
      warn(llvm::toString(info.takeError()));
  }
}

llvm::Expected<DeviceInfo> describe(const Api &api, uint32_t index) {
  CUdevice device;
  if (llvm::Error error =
          api.check(api.cuDeviceGet(&device, int(index)), "cuDeviceGet"))
    return std::move(error);
  DeviceInfo info;
  info.backend = api.is_emulated ? "emulator" : "cuda";
  info.emulated = api.is_emulated;
  info.units_name = "multiprocessors";
  info.writes_core_dumps = !api.is_emulated;
  info.index = api.others + index;
  char name[128] = {};
  if (llvm::Error error =
          api.check(api.cuDeviceGetName(name, sizeof(name) - 1, device),
                    "name of the device"))
    return std::move(error);
  info.name = name;
  int major = 0, minor = 0, units = 0, threads = 0, warp = 32;
  struct {
    CUdevice_attribute attribute;
    int *value;
  } wanted[] = {
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &units},
      {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &threads},
      {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &warp},
  };
  for (auto [attribute, value] : wanted)
    if (llvm::Error error =
            api.check(api.cuDeviceGetAttribute(value, attribute, device),
                      "attributes of the device"))
      return std::move(error);
  info.target_id = llvm::formatv("sm_{0}{1}", major, minor).str();
  info.units = uint32_t(units);
  info.waves_per_unit = uint32_t(threads / std::max(warp, 1));
  // A driver that does not know the attribute has no such mode.
  for (CUdevice_attribute attribute :
       {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS,
        CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES}) {
    int value = 0;
    info.reaches_host_memory |=
        api.cuDeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS &&
        value != 0;
  }
  size_t bytes = 0;
  api.cuDeviceTotalMem_v2(&bytes, device);
  info.memory = bytes;
  return info;
}

} // namespace gpuexec::cuda
