//===-- emulator/cuda/runtime/api_pool.cpp - Pools of memory --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pools and their numbers are the driver's.
//===----------------------------------------------------------------------===//
#include "emulator/cuda/runtime/forward.h"

using namespace gpuexec::cudart;

static_assert(sizeof(cudaMemPoolProps) == sizeof(CUmemPoolProps) &&
              sizeof(cudaMemAccessDesc) == sizeof(CUmemAccessDesc) &&
              sizeof(cudaMemLocation) == sizeof(CUmemLocation));

FORWARD(cudaDeviceGetDefaultMemPool, cuDeviceGetDefaultMemPool,
        (cudaMemPool_t * pool, int device), (pool, device))
FORWARD(cudaDeviceGetMemPool, cuDeviceGetMemPool,
        (cudaMemPool_t * pool, int device), (pool, device))
FORWARD(cudaDeviceSetMemPool, cuDeviceSetMemPool,
        (int device, cudaMemPool_t pool), (device, pool))
FORWARD(cudaMemGetDefaultMemPool, cuMemGetDefaultMemPool,
        (cudaMemPool_t * pool, cudaMemLocation *location,
         cudaMemAllocationType type),
        (pool, reinterpret_cast<CUmemLocation *>(location),
         CUmemAllocationType(type)))
FORWARD(cudaMemGetMemPool, cuMemGetMemPool,
        (cudaMemPool_t * pool, cudaMemLocation *location,
         cudaMemAllocationType type),
        (pool, reinterpret_cast<CUmemLocation *>(location),
         CUmemAllocationType(type)))
FORWARD(cudaMemSetMemPool, cuMemSetMemPool,
        (cudaMemLocation * location, cudaMemAllocationType type,
         cudaMemPool_t pool),
        (reinterpret_cast<CUmemLocation *>(location), CUmemAllocationType(type),
         pool))
FORWARD(cudaMemPoolCreate, cuMemPoolCreate,
        (cudaMemPool_t * pool, const cudaMemPoolProps *properties),
        (pool, reinterpret_cast<const CUmemPoolProps *>(properties)))
FORWARD(cudaMemPoolDestroy, cuMemPoolDestroy, (cudaMemPool_t pool), (pool))
FORWARD(cudaMemPoolTrimTo, cuMemPoolTrimTo, (cudaMemPool_t pool, size_t keep),
        (pool, keep))
FORWARD(cudaMemPoolSetAttribute, cuMemPoolSetAttribute,
        (cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value),
        (pool, CUmemPool_attribute(attribute), value))
FORWARD(cudaMemPoolGetAttribute, cuMemPoolGetAttribute,
        (cudaMemPool_t pool, cudaMemPoolAttr attribute, void *value),
        (pool, CUmemPool_attribute(attribute), value))
FORWARD(cudaMemPoolSetAccess, cuMemPoolSetAccess,
        (cudaMemPool_t pool, const cudaMemAccessDesc *access, size_t count),
        (pool, reinterpret_cast<const CUmemAccessDesc *>(access), count))
FORWARD(cudaMemPoolGetAccess, cuMemPoolGetAccess,
        (cudaMemAccessFlags * flags, cudaMemPool_t pool,
         cudaMemLocation *location),
        (reinterpret_cast<CUmemAccess_flags *>(flags), pool,
         reinterpret_cast<CUmemLocation *>(location)))

cudaError_t cudaMallocFromPoolAsync(void **memory, size_t size,
                                    cudaMemPool_t pool, cudaStream_t stream) {
  GPUEXEC_CUDART_CONTEXT();
  GPUEXEC_CUDART_REQUIRE(memory, InvalidValue);
  *memory = nullptr;
  if (!size)
    return cudaSuccess;
  CUdeviceptr address = 0;
  GPUEXEC_CUDART_TRY(cuMemAllocFromPoolAsync(&address, size, pool, stream));
  *memory = reinterpret_cast<void *>(address);
  return cudaSuccess;
}
