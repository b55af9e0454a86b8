//===-- emulator/cuda/runtime/api_memory.cpp - Memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/runtime/program.h"
#include "emulator/cuda/runtime/thread.h"

using namespace gpuexec::cudart;

static CUdeviceptr address_of(const void *pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

cudaError_t cudaMalloc(void **memory, size_t size) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(memory, InvalidValue);
  *memory = nullptr;
  if (!size)
    return cudaSuccess; // documented: success, and a null pointer
  CUdeviceptr address = 0;
  GPUEXEC_CUDART_TRY(cuMemAlloc(&address, size));
  *memory = reinterpret_cast<void *>(address);
  return cudaSuccess;
}

cudaError_t cudaFree(void *memory) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemFree(address_of(memory)));
}

cudaError_t cudaMallocPitch(void **memory, size_t *pitch, size_t width,
                            size_t height) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(memory && pitch, InvalidValue);
  CUdeviceptr address = 0;
  GPUEXEC_CUDART_TRY(cuMemAllocPitch(&address, pitch, width, height, 4));
  *memory = reinterpret_cast<void *>(address);
  return cudaSuccess;
}

cudaError_t cudaMalloc3D(cudaPitchedPtr *memory, cudaExtent extent) {
  GPUEXEC_CUDART_REQUIRE(memory, InvalidValue);
  size_t rows = 0;
  GPUEXEC_CUDART_REQUIRE(
      !__builtin_mul_overflow(extent.height, extent.depth, &rows),
      InvalidValue);
  memory->xsize = extent.width;
  memory->ysize = extent.height;
  return cudaMallocPitch(&memory->ptr, &memory->pitch, extent.width, rows);
}

cudaError_t cudaMallocHost(void **memory, size_t size) {
  return cudaHostAlloc(memory, size, 0);
}

cudaError_t cudaHostAlloc(void **memory, size_t size, unsigned flags) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(memory && flags <= 7, InvalidValue);
  *memory = nullptr;
  if (!size)
    return cudaSuccess;
  return record(cuMemHostAlloc(memory, size, flags));
}

cudaError_t cudaFreeHost(void *memory) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemFreeHost(memory));
}

cudaError_t cudaHostRegister(void *memory, size_t size, unsigned flags) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemHostRegister(memory, size, flags));
}

cudaError_t cudaHostUnregister(void *memory) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemHostUnregister(memory));
}

cudaError_t cudaHostGetDevicePointer(void **device, void *memory,
                                     unsigned flags) {
  GPUEXEC_CUDART_CONTEXT();
  CUdeviceptr address = 0;
  GPUEXEC_CUDART_REQUIRE(device, InvalidValue);
  GPUEXEC_CUDART_TRY(cuMemHostGetDevicePointer(&address, memory, flags));
  *device = reinterpret_cast<void *>(address);
  return cudaSuccess;
}

cudaError_t cudaHostGetFlags(unsigned *flags, void *memory) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemHostGetFlags(flags, memory));
}

cudaError_t cudaMallocManaged(void **memory, size_t size, unsigned flags) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(memory && size, InvalidValue);
  CUdeviceptr address = 0;
  GPUEXEC_CUDART_TRY(cuMemAllocManaged(&address, size, flags));
  *memory = reinterpret_cast<void *>(address);
  return cudaSuccess;
}

cudaError_t cudaMallocAsync(void **memory, size_t size, cudaStream_t stream) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(memory, InvalidValue);
  *memory = nullptr;
  if (!size)
    return cudaSuccess;
  CUdeviceptr address = 0;
  GPUEXEC_CUDART_TRY(cuMemAllocAsync(&address, size, stream));
  *memory = reinterpret_cast<void *>(address);
  return cudaSuccess;
}

cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream) {
  GPUEXEC_CUDART_CONTEXT();
  if (!memory)
    return cudaSuccess;
  return record(cuMemFreeAsync(address_of(memory), stream));
}

cudaError_t cudaMemGetInfo(size_t *unused, size_t *total) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemGetInfo(unused, total));
}

cudaError_t cudaMemAdvise(const void *memory, size_t size,
                          cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise_v2(memory, size, advice,
                          {cudaMemLocationTypeDevice, device});
}

cudaError_t cudaMemAdvise_v2(const void *memory, size_t size,
                             cudaMemoryAdvise advice, cudaMemLocation) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemAdvise_v2(address_of(memory), size, CUmem_advise(advice),
                               {CU_MEM_LOCATION_TYPE_DEVICE, 0}));
}

cudaError_t cudaMemPrefetchAsync(const void *memory, size_t size, int device,
                                 cudaStream_t stream) {
  return cudaMemPrefetchAsync_v2(
      memory, size, {cudaMemLocationTypeDevice, device}, 0, stream);
}

cudaError_t cudaMemPrefetchAsync_v2(const void *memory, size_t size,
                                    cudaMemLocation, unsigned flags,
                                    cudaStream_t stream) {
  GPUEXEC_CUDART_CONTEXT();
  return record(cuMemPrefetchAsync_v2(address_of(memory), size,
                                      {CU_MEM_LOCATION_TYPE_DEVICE, 0}, flags,
                                      stream));
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *memory,
                                     size_t size, unsigned flags) {
  GPUEXEC_CUDART_CONTEXT();
  return record(
      cuStreamAttachMemAsync(stream, address_of(memory), size, flags));
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes,
                                     const void *pointer) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(attributes, InvalidValue);
  // CUDA 13's structure has more members behind these, which older programs
  // have no room for.
  attributes->type = cudaMemoryTypeUnregistered;
  attributes->device = -2; // of memory that is not CUDA's
  attributes->devicePointer = nullptr;
  attributes->hostPointer = const_cast<void *>(pointer);
  unsigned type = 0, managed = 0;
  const CUdeviceptr address = address_of(pointer);
  const CUresult error =
      cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
  if (error == CUDA_ERROR_INVALID_VALUE)
    return cudaSuccess;
  GPUEXEC_CUDART_TRY(error);
  GPUEXEC_CUDART_TRY(cuPointerGetAttribute(
      &managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
  attributes->device = 0;
  attributes->devicePointer = const_cast<void *>(pointer);
  attributes->type = managed                      ? cudaMemoryTypeManaged
                     : type == CU_MEMORYTYPE_HOST ? cudaMemoryTypeHost
                                                  : cudaMemoryTypeDevice;
  if (attributes->type == cudaMemoryTypeDevice)
    attributes->hostPointer = nullptr;
  return cudaSuccess;
}
