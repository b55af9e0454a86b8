//===-- emulator/cuda/runtime/api_device.cpp - The device and errors ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/program.h"
#include "emulator/cuda/runtime/thread.h"

using namespace gpuexec::cudart;

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define RUNTIME_ERROR(NAME, STRING)                                            \
  case NAME:                                                                   \
    return #NAME;
#include "emulator/cuda/runtime/errors.def"
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define RUNTIME_ERROR(NAME, STRING)                                            \
  case NAME:                                                                   \
    return STRING;
#include "emulator/cuda/runtime/errors.def"
  }
  return "unrecognized error code";
}

cudaError_t cudaGetLastError(void) { return last_error(/*clear=*/true); }
cudaError_t cudaPeekAtLastError(void) { return last_error(/*clear=*/false); }

cudaError_t cudaDriverGetVersion(int *version) {
  return record(cuDriverGetVersion(version));
}

cudaError_t cudaGetDeviceCount(int *count) {
  GPUEXEC_CUDART_REQUIRE(count, InvalidValue);
  *count = 0;
  GPUEXEC_CUDART_TRY(cuInit(0));
  return record(cuDeviceGetCount(count));
}

cudaError_t cudaGetDevice(int *device) {
  GPUEXEC_CUDART_REQUIRE(device, InvalidValue);
  *device = 0;
  GPUEXEC_CUDART_TRY(cuInit(0));
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  int count = 0;
  GPUEXEC_CUDART_TRY(cudaGetDeviceCount(&count));
  GPUEXEC_CUDART_REQUIRE(device >= 0 && device < count, InvalidDevice);
  GPUEXEC_CUDART_CONTEXT();
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned, unsigned) {
  return cudaSetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  GPUEXEC_CUDART_REQUIRE(devices && count > 0, InvalidValue);
  GPUEXEC_CUDART_REQUIRE(devices[0] == 0, InvalidDevice);
  return cudaSuccess;
}

cudaError_t cudaChooseDevice(int *device, const cudaDeviceProp *wanted) {
  GPUEXEC_CUDART_REQUIRE(device && wanted, InvalidValue);
  return cudaGetDevice(device);
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  GPUEXEC_CUDART_TRY(cuInit(0));
  return record(cuDevicePrimaryCtxSetFlags(0, flags));
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  GPUEXEC_CUDART_REQUIRE(flags, InvalidValue);
  GPUEXEC_CUDART_CONTEXT();
  return record(cuCtxGetFlags(flags));
}

cudaError_t cudaDeviceSynchronize(void) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuCtxSynchronize());
}

cudaError_t cudaDeviceReset(void) {
  GPUEXEC_CUDART_TRY(cuInit(0));
  unsigned flags = 0;
  int active = 0;
  GPUEXEC_CUDART_TRY(cuDevicePrimaryCtxGetState(0, &flags, &active));
  if (active) {
    CUcontext context = nullptr;
    GPUEXEC_CUDART_TRY(cuDevicePrimaryCtxRetain(&context, 0));
    Program::get().forget(context);
    GPUEXEC_CUDART_TRY(cuDevicePrimaryCtxReset(0));
    cuCtxSetCurrent(nullptr);
  }
  clear_error();
  return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute,
                                   int device) {
  GPUEXEC_CUDART_TRY(cuInit(0));
  return record(
      cuDeviceGetAttribute(value, CUdevice_attribute(attribute), device));
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int length, int device) {
  GPUEXEC_CUDART_TRY(cuInit(0));
  return record(cuDeviceGetPCIBusId(text, length, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text) {
  GPUEXEC_CUDART_TRY(cuInit(0));
  return record(cuDeviceGetByPCIBusId(device, text));
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  GPUEXEC_CUDART_TRY(cuInit(0));
  return record(cuDeviceCanAccessPeer(can, device, peer));
}

cudaError_t cudaDeviceEnablePeerAccess(int, unsigned) {
  return record(cudaErrorInvalidDevice); // there is one device
}

cudaError_t cudaDeviceDisablePeerAccess(int) {
  return record(cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, cudaDeviceP2PAttr, int, int) {
  GPUEXEC_CUDART_REQUIRE(value, InvalidValue);
  return record(cudaErrorInvalidDevice);
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, size_t value) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuCtxSetLimit(CUlimit(limit), value));
}

cudaError_t cudaDeviceGetLimit(size_t *value, cudaLimit limit) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuCtxGetLimit(value, CUlimit(limit)));
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *config) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(config, InvalidValue);
  *config = cudaFuncCachePreferNone;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuCtxSetCacheConfig(CUfunc_cache(config)));
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *config) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(config, InvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig) {
  GPUEXEC_CUDART_CONTEXT();
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuCtxGetStreamPriorityRange(least, greatest));
}

cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }
cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
