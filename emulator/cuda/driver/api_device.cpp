//===-- emulator/cuda/driver/api_device.cpp - The device and errors -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"

#include <cstdio>
#include <cstring>

using namespace gpuexec::cuda;

namespace {

constexpr char NAME[] = "gpuexec emulated CUDA device";
constexpr char PCI_BUS_ID[] = "0000:01:00.0";

CUresult check_device(CUdevice device) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(device == 0, INVALID_DEVICE);
  return CUDA_SUCCESS;
}

void copy_text(char *to, int size, const char *text) {
  if (size > 0)
    snprintf(to, size_t(size), "%s", text);
}

} // namespace

CUresult cuInit(unsigned flags) {
  GPUEXEC_REQUIRE(flags == 0, INVALID_VALUE);
  return Driver::get().initialise();
}

CUresult cuDriverGetVersion(int *version) {
  GPUEXEC_REQUIRE(version, INVALID_VALUE);
  *version = DRIVER_VERSION;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  GPUEXEC_REQUIRE(count, INVALID_VALUE);
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  *count = Driver::get().devices();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  GPUEXEC_REQUIRE(device, INVALID_VALUE);
  GPUEXEC_TRY(check_device(ordinal));
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int length, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(name && length > 0, INVALID_VALUE);
  copy_text(name, length, NAME);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(uuid, INVALID_VALUE);
  // Every emulated device has this one: nothing tells two of them apart.
  memcpy(uuid->bytes, "gpuexec emulated", 16);
  return CUDA_SUCCESS;
}

GPUEXEC_CUDA_EXPORT CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device) {
  return cuDeviceGetUuid_v2(uuid, device);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(bytes, INVALID_VALUE);
  *bytes = Driver::get().hsa().memory_size;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute attribute,
                              CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(value && attribute > 0 && attribute < CU_DEVICE_ATTRIBUTE_MAX,
                  INVALID_VALUE);
  const Hsa &hsa = Driver::get().hsa();
  const CodeSettings &settings = Driver::get().settings();
  switch (attribute) {
#define ATTRIBUTE(NAME, VALUE)                                                 \
  case CU_DEVICE_ATTRIBUTE_##NAME:                                             \
    *value = VALUE;                                                            \
    return CUDA_SUCCESS;
#include "emulator/cuda/driver/attributes.def"
  default:
    *value = 0;
    return CUDA_SUCCESS;
  }
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(major && minor, INVALID_VALUE);
  *major = Driver::get().settings().capability / 10;
  *minor = Driver::get().settings().capability % 10;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *text, int length, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(text && length > 0, INVALID_VALUE);
  copy_text(text, length, PCI_BUS_ID);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *text) {
  GPUEXEC_TRY(check_device(0));
  GPUEXEC_REQUIRE(device && text, INVALID_VALUE);
  GPUEXEC_REQUIRE(strcmp(text, PCI_BUS_ID) == 0, INVALID_DEVICE);
  *device = 0;
  return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_TRY(check_device(peer));
  GPUEXEC_REQUIRE(can, INVALID_VALUE);
  *can = 0; // there is one device
  return CUDA_SUCCESS;
}

CUresult cuGetExportTable(const void **table, const CUuuid *) {
  if (table)
    *table = nullptr;
  return CUDA_ERROR_NOT_FOUND; // documented interfaces only
}

// There is no profiler to be told.

GPUEXEC_CUDA_EXPORT CUresult cuProfilerStart(void) { return CUDA_SUCCESS; }
GPUEXEC_CUDA_EXPORT CUresult cuProfilerStop(void) { return CUDA_SUCCESS; }
