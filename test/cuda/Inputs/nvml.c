//===-- test/cuda/Inputs/nvml.c - NVML's answers are the runtime's --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>
#include <nvml.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int failures;
#define EXPECT(CONDITION)                                                      \
  if (!(CONDITION)) {                                                          \
    printf("failed: %s, line %d\n", #CONDITION, __LINE__);                     \
    ++failures;                                                                \
  }

static void try_handles(nvmlDevice_t device) {
  nvmlDevice_t other = NULL;
  char uuid[NVML_DEVICE_UUID_BUFFER_SIZE], bus[32];
  nvmlPciInfo_t pci;
  unsigned index = 9;
  EXPECT(!nvmlDeviceGetIndex(device, &index) && index == 0);
  EXPECT(!nvmlDeviceGetUUID(device, uuid, sizeof uuid));
  EXPECT(!strncmp(uuid, "GPU-", 4) && strlen(uuid) == 40);
  EXPECT(!nvmlDeviceGetHandleByUUID(uuid, &other) && other == device);
  uuid[39] ^= 1;
  EXPECT(nvmlDeviceGetHandleByUUID(uuid, &other) == NVML_ERROR_NOT_FOUND);
  EXPECT(nvmlDeviceGetUUID(device, uuid, 40) == NVML_ERROR_INSUFFICIENT_SIZE);
  EXPECT(!nvmlDeviceGetPciInfo(device, &pci));
  EXPECT(!cudaDeviceGetPCIBusId(bus, sizeof bus, 0));
  EXPECT(!strcasecmp(pci.busIdLegacy, bus));
  other = NULL;
  EXPECT(!nvmlDeviceGetHandleByPciBusId(bus, &other) && other == device);
  EXPECT(!nvmlDeviceGetHandleByPciBusId(pci.busId, &other));
  EXPECT(nvmlDeviceGetHandleByPciBusId("0000:77:00.0", &other) ==
         NVML_ERROR_NOT_FOUND);
  EXPECT(nvmlDeviceGetHandleByIndex(1, &other) == NVML_ERROR_INVALID_ARGUMENT);
}

static void try_facts(nvmlDevice_t device) {
  struct cudaDeviceProp properties;
  nvmlMemory_t memory, after;
  nvmlMemory_v2_t more = {0};
  char name[NVML_DEVICE_NAME_V2_BUFFER_SIZE];
  int major = 0, minor = 0;
  unsigned clock = 0;
  void *allocated = NULL;
  EXPECT(!cudaGetDeviceProperties(&properties, 0));
  EXPECT(!nvmlDeviceGetName(device, name, sizeof name) &&
         !strcmp(name, properties.name));
  EXPECT(nvmlDeviceGetName(device, name, 2) == NVML_ERROR_INSUFFICIENT_SIZE);
  EXPECT(!nvmlDeviceGetCudaComputeCapability(device, &major, &minor));
  EXPECT(major == properties.major && minor == properties.minor);
  EXPECT(!nvmlDeviceGetMemoryInfo(device, &memory));
  EXPECT(memory.total == properties.totalGlobalMem);
  EXPECT(memory.used + memory.free == memory.total);
  EXPECT(!cudaMalloc(&allocated, 64 << 20));
  EXPECT(!nvmlDeviceGetMemoryInfo(device, &after) &&
         after.used >= memory.used + (64 << 20));
  EXPECT(nvmlDeviceGetMemoryInfo_v2(device, &more) ==
         NVML_ERROR_INVALID_ARGUMENT);
  more.version = nvmlMemory_v2;
  EXPECT(!nvmlDeviceGetMemoryInfo_v2(device, &more) &&
         more.total == memory.total);
  EXPECT(!nvmlDeviceGetMaxClockInfo(device, NVML_CLOCK_SM, &clock) &&
         clock == (unsigned)properties.clockRate / 1000);
  EXPECT(!cudaFree(allocated));
}

int main(void) {
  nvmlDevice_t device = NULL;
  nvmlUtilization_t utilization;
  unsigned count = 0, number;
  int version = 0, runtime = 0;
  EXPECT(nvmlDeviceGetCount(&count) == NVML_ERROR_UNINITIALIZED);
  EXPECT(nvmlShutdown() == NVML_ERROR_UNINITIALIZED);
  EXPECT(!nvmlInit() && !nvmlInit());
  EXPECT(!nvmlShutdown()); // another user is left
  EXPECT(!nvmlDeviceGetCount(&count) && count == 1);
  EXPECT(!nvmlSystemGetCudaDriverVersion(&version) &&
         !cudaDriverGetVersion(&runtime) && version == runtime);
  EXPECT(!nvmlDeviceGetHandleByIndex(0, &device));
  try_handles(device);
  try_facts(device);
  EXPECT(nvmlDeviceGetUtilizationRates(device, &utilization) ==
         NVML_ERROR_NOT_SUPPORTED);
  EXPECT(nvmlDeviceGetTemperature(device, NVML_TEMPERATURE_GPU, &number) ==
         NVML_ERROR_NOT_SUPPORTED);
  EXPECT(nvmlDeviceGetTemperature(NULL, NVML_TEMPERATURE_GPU, &number) ==
         NVML_ERROR_INVALID_ARGUMENT);
  EXPECT(*nvmlErrorString(NVML_ERROR_NOT_SUPPORTED));
  EXPECT(!nvmlShutdown());
  EXPECT(nvmlDeviceGetIndex(device, &number) == NVML_ERROR_UNINITIALIZED);
  printf("%d failures\n", failures);
  return failures != 0;
}
