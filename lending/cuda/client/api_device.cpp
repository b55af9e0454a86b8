//===-- lending/cuda/client/api_device.cpp - The device -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answered from what the worker has told at the beginning.
#include "lending/cuda/client/api.h"

#include <cstdio>

using namespace gpuexec::lent_cuda;

namespace {

const DeviceFacts &facts() { return Session::get().facts(); }

void copy_text(char *to, int size, const char *text) {
  if (size > 0)
    std::snprintf(to, size_t(size), "%s", text);
}

} // namespace

CUresult cuInit(unsigned flags) {
  GPUEXEC_REQUIRE(flags == 0, INVALID_VALUE);
  return Session::get().open();
}

CUresult cuDriverGetVersion(int *version) {
  GPUEXEC_REQUIRE(version, INVALID_VALUE);
  GPUEXEC_TRY(Session::get().open());
  *version = facts().driver_version;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int number) {
  GPUEXEC_TRY(check_device(number));
  GPUEXEC_REQUIRE(device, INVALID_VALUE);
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  GPUEXEC_TRY(check_device(0));
  GPUEXEC_REQUIRE(count, INVALID_VALUE);
  *count = 1;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(name, INVALID_VALUE);
  copy_text(name, size, facts().name);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(uuid, INVALID_VALUE);
  std::memcpy(uuid, facts().uuid, sizeof(*uuid));
  return CUDA_SUCCESS;
}

#undef cuDeviceGetUuid
GPUEXEC_CUDA_EXPORT CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(bytes, INVALID_VALUE);
  *bytes = facts().memory;
  return CUDA_SUCCESS;
}

/// What a lent device has not, whatever the GPU can do.
static bool is_refused(CUdevice_attribute attribute) {
  switch (attribute) {
  case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS:
  case CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES:
  case CU_DEVICE_ATTRIBUTE_DIRECT_MANAGED_MEM_ACCESS_FROM_HOST:
  case CU_DEVICE_ATTRIBUTE_CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM:
  case CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED:
    return true;
  default:
    return false;
  }
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(value && attribute > 0 && uint32_t(attribute) < ATTRIBUTES &&
                      facts().has_attribute[attribute],
                  INVALID_VALUE);
  *value = is_refused(attribute) ? 0 : facts().attributes[attribute];
  return CUDA_SUCCESS;
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  GPUEXEC_REQUIRE(major && minor, INVALID_VALUE);
  GPUEXEC_TRY(cuDeviceGetAttribute(
      major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  return cuDeviceGetAttribute(
      minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceGetPCIBusId(char *text, int size, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(text, INVALID_VALUE);
  copy_text(text, size, facts().bus_id);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text) {
  GPUEXEC_TRY(check_device(0));
  GPUEXEC_REQUIRE(device && text, INVALID_VALUE);
  GPUEXEC_REQUIRE(std::strcmp(text, facts().bus_id) == 0, INVALID_DEVICE);
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice, CUdevice) {
  GPUEXEC_REQUIRE(can, INVALID_VALUE);
  *can = 0;
  return CUDA_SUCCESS;
}

CUresult cuGetExportTable(const void **table, const CUuuid *) {
  if (table)
    *table = nullptr;
  return CUDA_ERROR_NOT_FOUND; // no private table of the driver is answered
}

// There is no profiler to be told.

GPUEXEC_CUDA_EXPORT CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
GPUEXEC_CUDA_EXPORT CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }
