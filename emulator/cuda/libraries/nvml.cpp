//===-- emulator/cuda/libraries/nvml.cpp - Facts of devices ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libnvidia-ml.so.1: what programs ask NVIDIA's management library, answered by
// the driver. A device's handle is its number plus 1.
//===----------------------------------------------------------------------===//
#pragma GCC visibility push(default)
#include "toolchain/cuda/include/nvml.h"
#pragma GCC visibility pop
#include "toolchain/cuda/include/cuda.h"
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <strings.h>

namespace {

/// The calls of nvmlInit() without one of nvmlShutdown(): NVML counts them for
/// the process.
std::atomic<unsigned> users{0};

int device_count() {
  int count = 0;
  return cuDeviceGetCount(&count) == CUDA_SUCCESS ? count : 0;
}

nvmlDevice_t handle_of(CUdevice device) {
  return reinterpret_cast<nvmlDevice_t>(uintptr_t(device) + 1);
}

/// What each function of a device does first: finds the driver's device.
nvmlReturn_t find(nvmlDevice_t handle, CUdevice &device) {
  if (!users)
    return NVML_ERROR_UNINITIALIZED;
  const auto number = reinterpret_cast<uintptr_t>(handle);
  if (number < 1 || number > uintptr_t(device_count()))
    return NVML_ERROR_INVALID_ARGUMENT;
  device = CUdevice(number - 1);
  return NVML_SUCCESS;
}

nvmlReturn_t result_of(CUresult result) {
  return result == CUDA_SUCCESS ? NVML_SUCCESS : NVML_ERROR_UNKNOWN;
}

nvmlReturn_t copy(const std::string &text, char *to, unsigned length) {
  if (!to)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (length <= text.size())
    return NVML_ERROR_INSUFFICIENT_SIZE;
  memcpy(to, text.c_str(), text.size() + 1);
  return NVML_SUCCESS;
}

nvmlReturn_t attribute(nvmlDevice_t handle, CUdevice_attribute what,
                       int *value) {
  CUdevice device;
  if (nvmlReturn_t error = find(handle, device))
    return error;
  return value ? result_of(cuDeviceGetAttribute(value, what, device))
               : NVML_ERROR_INVALID_ARGUMENT;
}

/// "GPU-" and the bytes of the identifier, in groups. Empty: it has none.
std::string uuid_of(CUdevice device) {
  CUuuid uuid;
  if (cuDeviceGetUuid(&uuid, device))
    return "";
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char digits[4];
    snprintf(digits, sizeof digits, "%s%02x",
             i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
             static_cast<unsigned char>(uuid.bytes[i]));
    text += digits;
  }
  return text;
}

struct BusId {
  unsigned domain = 0, bus = 0, device = 0;
  bool operator==(const BusId &) const = default;
};

/// Reads domain:bus:device.function, or that without a domain.
bool read(const char *text, BusId &id) {
  unsigned function;
  if (sscanf(text, "%x:%x:%x.%x", &id.domain, &id.bus, &id.device, &function) ==
      4)
    return true;
  id.domain = 0;
  return sscanf(text, "%x:%x.%x", &id.bus, &id.device, &function) == 3;
}
bool find_bus_id(CUdevice device, BusId &id) {
  char text[32];
  return cuDeviceGetPCIBusId(text, sizeof text, device) == CUDA_SUCCESS &&
         read(text, id);
}

/// The device that has a property.
template <class Property>
nvmlReturn_t find_device(nvmlDevice_t *handle, Property has) {
  if (!users)
    return NVML_ERROR_UNINITIALIZED;
  if (!handle)
    return NVML_ERROR_INVALID_ARGUMENT;
  for (CUdevice device = 0; device < device_count(); ++device)
    if (has(device)) {
      *handle = handle_of(device);
      return NVML_SUCCESS;
    }
  return NVML_ERROR_NOT_FOUND;
}

/// Memory is the driver's answer in the device's primary context.
nvmlReturn_t find_memory(nvmlDevice_t handle, size_t &unused, size_t &total) {
  CUdevice device;
  if (nvmlReturn_t error = find(handle, device))
    return error;
  CUcontext context;
  if (cuDevicePrimaryCtxRetain(&context, device))
    return NVML_ERROR_UNKNOWN;
  CUresult result = cuCtxPushCurrent(context);
  if (!result) {
    result = cuMemGetInfo(&unused, &total);
    cuCtxPopCurrent(&context);
  }
  cuDevicePrimaryCtxRelease(device);
  return result_of(result);
}

nvmlReturn_t clock_of(nvmlDevice_t handle, nvmlClockType_t type,
                      unsigned *clock) {
  int rate = 0; // in kHz
  if (!clock || type < NVML_CLOCK_GRAPHICS || type >= NVML_CLOCK_COUNT)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (nvmlReturn_t error = attribute(handle,
                                     type == NVML_CLOCK_MEM
                                         ? CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE
                                         : CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
                                     &rate))
    return error;
  if (type == NVML_CLOCK_VIDEO || rate <= 0)
    return NVML_ERROR_NOT_SUPPORTED;
  *clock = unsigned(rate / 1000);
  return NVML_SUCCESS;
}

} // namespace

nvmlReturn_t nvmlInit_v2() { return nvmlInitWithFlags(0); }
nvmlReturn_t nvmlInitWithFlags(unsigned) {
  const CUresult result = cuInit(0);
  if (result && result != CUDA_ERROR_NO_DEVICE)
    return NVML_ERROR_DRIVER_NOT_LOADED;
  ++users;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlShutdown() {
  unsigned now = users;
  while (now && !users.compare_exchange_weak(now, now - 1))
    ;
  return now ? NVML_SUCCESS : NVML_ERROR_UNINITIALIZED;
}

const char *nvmlErrorString(nvmlReturn_t result) {
  switch (result) {
  case NVML_SUCCESS:
    return "no error";
  case NVML_ERROR_UNINITIALIZED:
    return "nvmlInit() has not been called";
  case NVML_ERROR_INVALID_ARGUMENT:
    return "an argument is invalid";
  case NVML_ERROR_NOT_SUPPORTED:
    return "the device does not support this";
  case NVML_ERROR_NOT_FOUND:
    return "there is no such object";
  case NVML_ERROR_INSUFFICIENT_SIZE:
    return "an argument is too small";
  case NVML_ERROR_DRIVER_NOT_LOADED:
    return "there is no driver";
  default:
    return "another error";
  }
}

nvmlReturn_t nvmlSystemGetDriverVersion(char *version, unsigned length) {
  return users ? copy(GPUEXEC_VERSION, version, length)
               : NVML_ERROR_UNINITIALIZED;
}
nvmlReturn_t nvmlSystemGetNVMLVersion(char *version, unsigned length) {
  return copy(NVML_API_VERSION_STR "." GPUEXEC_VERSION, version, length);
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int *version) {
  return version ? result_of(cuDriverGetVersion(version))
                 : NVML_ERROR_INVALID_ARGUMENT;
}
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int *version) {
  return nvmlSystemGetCudaDriverVersion(version);
}

nvmlReturn_t nvmlDeviceGetCount_v2(unsigned *count) {
  if (!users)
    return NVML_ERROR_UNINITIALIZED;
  if (!count)
    return NVML_ERROR_INVALID_ARGUMENT;
  *count = unsigned(device_count());
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned index,
                                           nvmlDevice_t *device) {
  const nvmlReturn_t result = find_device(
      device, [=](CUdevice number) { return unsigned(number) == index; });
  return result == NVML_ERROR_NOT_FOUND ? NVML_ERROR_INVALID_ARGUMENT : result;
}
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char *uuid, nvmlDevice_t *device) {
  return find_device(device, [=](CUdevice number) {
    return uuid && !strcasecmp(uuid, uuid_of(number).c_str());
  });
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char *bus_id,
                                              nvmlDevice_t *device) {
  BusId wanted;
  if (!bus_id || !read(bus_id, wanted))
    return NVML_ERROR_INVALID_ARGUMENT;
  return find_device(device, [&](CUdevice number) {
    BusId its;
    return find_bus_id(number, its) && its == wanted;
  });
}

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t handle, unsigned *index) {
  CUdevice device;
  if (nvmlReturn_t error = find(handle, device))
    return error;
  if (!index)
    return NVML_ERROR_INVALID_ARGUMENT;
  *index = unsigned(device);
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t handle, unsigned *number) {
  return nvmlDeviceGetIndex(handle, number);
}
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t handle, char *name,
                               unsigned length) {
  CUdevice device;
  char text[NVML_DEVICE_NAME_V2_BUFFER_SIZE] = "";
  if (nvmlReturn_t error = find(handle, device))
    return error;
  if (cuDeviceGetName(text, sizeof text, device))
    return NVML_ERROR_UNKNOWN;
  return copy(text, name, length);
}
nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t handle, nvmlBrandType_t *brand) {
  CUdevice device;
  if (nvmlReturn_t error = find(handle, device))
    return error;
  if (!brand)
    return NVML_ERROR_INVALID_ARGUMENT;
  *brand = NVML_BRAND_UNKNOWN;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t handle, char *uuid,
                               unsigned length) {
  CUdevice device;
  if (nvmlReturn_t error = find(handle, device))
    return error;
  const std::string text = uuid_of(device);
  return text.empty() ? NVML_ERROR_NOT_SUPPORTED : copy(text, uuid, length);
}
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t handle, nvmlPciInfo_t *info) {
  CUdevice device;
  BusId id;
  if (nvmlReturn_t error = find(handle, device))
    return error;
  if (!info)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (!find_bus_id(device, id))
    return NVML_ERROR_UNKNOWN;
  *info = {};
  info->domain = id.domain;
  info->bus = id.bus;
  info->device = id.device;
  snprintf(info->busIdLegacy, sizeof info->busIdLegacy,
           NVML_DEVICE_PCI_BUS_ID_LEGACY_FMT,
           NVML_DEVICE_PCI_BUS_ID_FMT_ARGS(info));
  snprintf(info->busId, sizeof info->busId, NVML_DEVICE_PCI_BUS_ID_FMT,
           NVML_DEVICE_PCI_BUS_ID_FMT_ARGS(info));
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t handle,
                                     nvmlMemory_t *memory) {
  size_t unused = 0, total = 0;
  if (!memory)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (nvmlReturn_t error = find_memory(handle, unused, total))
    return error;
  *memory = {total, unused, total - unused};
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t handle,
                                        nvmlMemory_v2_t *memory) {
  size_t unused = 0, total = 0;
  if (!memory || memory->version != nvmlMemory_v2)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (nvmlReturn_t error = find_memory(handle, unused, total))
    return error;
  *memory = {memory->version, total, 0, unused, total - unused};
  return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t handle, int *major,
                                                int *minor) {
  const nvmlReturn_t error =
      attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, major);
  return error ? error
               : attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
                           minor);
}
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t handle,
                                      nvmlComputeMode_t *mode) {
  int value = 0;
  if (!mode)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (nvmlReturn_t error =
          attribute(handle, CU_DEVICE_ATTRIBUTE_COMPUTE_MODE, &value))
    return error;
  *mode = nvmlComputeMode_t(value); // the driver has the same numbers
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t handle,
                                  nvmlEnableState_t *current,
                                  nvmlEnableState_t *pending) {
  int value = 0;
  if (!current || !pending)
    return NVML_ERROR_INVALID_ARGUMENT;
  if (nvmlReturn_t error =
          attribute(handle, CU_DEVICE_ATTRIBUTE_ECC_ENABLED, &value))
    return error;
  *current = *pending = value ? NVML_FEATURE_ENABLED : NVML_FEATURE_DISABLED;
  return NVML_SUCCESS;
}
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t handle, nvmlClockType_t type,
                                    unsigned *clock) {
  return clock_of(handle, type, clock);
}
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t handle,
                                       nvmlClockType_t type, unsigned *clock) {
  return clock_of(handle, type, clock);
}

#define GPUEXEC_NVML_MISSING(NAME, ...)                                        \
  nvmlReturn_t NAME(__VA_ARGS__) {                                             \
    CUdevice number;                                                           \
    const nvmlReturn_t error = find(device, number);                           \
    return error ? error : NVML_ERROR_NOT_SUPPORTED;                           \
  }
#include "toolchain/cuda/include/gpuexec/nvml_missing.def"
