//===-- emulator/cuda/driver/api_pool.cpp - Pools of memory ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/capture.h"

#include <cstring>

using namespace gpuexec::cuda;

namespace {

CUresult check_device(int device) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(device == 0 && Driver::get().devices(), INVALID_DEVICE);
  return CUDA_SUCCESS;
}

CUresult check_location(const CUmemLocation *location) {
  GPUEXEC_REQUIRE(location && location->type == CU_MEM_LOCATION_TYPE_DEVICE,
                  INVALID_VALUE);
  return check_device(location->id);
}

CUresult find_pool(CUmemoryPool handle, std::shared_ptr<Pool> &pool) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  pool = Driver::get().pools.find(handle);
  GPUEXEC_REQUIRE(pool, INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUmemoryPool handle_of(const std::shared_ptr<Pool> &pool) {
  return Driver::get().pools.add<CUmemoryPool>(pool);
}

/// Memory that a captured stream allocates is that of a node.
CUresult allocate_captured(Context &context, Stream &stream,
                           CUdeviceptr *address, size_t size) {
  Allocation made{};
  GPUEXEC_TRY(Driver::get().graph_memories.allocate(context.memory, size,
                                                    &context, made.memory));
  *address = made.memory->address();
  made.parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  made.parameters.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  made.parameters.bytesize = size;
  made.parameters.dptr = *address;
  bool done = false;
  return add_captured(
      stream,
      [&] {
        return NodeContent{CU_GRAPH_NODE_TYPE_MEM_ALLOC, made, nullptr};
      },
      done);
}

} // namespace

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(pool, INVALID_VALUE);
  *pool = handle_of(Driver::get().default_pool);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(pool, INVALID_VALUE);
  *pool = handle_of(Driver::get().current_pool());
  return CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool handle) {
  std::shared_ptr<Pool> pool;
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_TRY(find_pool(handle, pool));
  Driver::get().set_current_pool(std::move(pool));
  return CUDA_SUCCESS;
}

CUresult cuMemGetDefaultMemPool(CUmemoryPool *pool, CUmemLocation *location,
                                CUmemAllocationType) {
  GPUEXEC_TRY(check_location(location));
  return cuDeviceGetDefaultMemPool(pool, location->id);
}

CUresult cuMemGetMemPool(CUmemoryPool *pool, CUmemLocation *location,
                         CUmemAllocationType) {
  GPUEXEC_TRY(check_location(location));
  return cuDeviceGetMemPool(pool, location->id);
}

CUresult cuMemSetMemPool(CUmemLocation *location, CUmemAllocationType,
                         CUmemoryPool pool) {
  GPUEXEC_TRY(check_location(location));
  return cuDeviceSetMemPool(location->id, pool);
}

CUresult cuMemPoolCreate(CUmemoryPool *handle,
                         const CUmemPoolProps *properties) {
  GPUEXEC_REQUIRE(handle && properties &&
                      properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED,
                  INVALID_VALUE);
  GPUEXEC_TRY(check_location(&properties->location));
  GPUEXEC_REQUIRE(properties->handleTypes == CU_MEM_HANDLE_TYPE_NONE,
                  NOT_SUPPORTED); // no other process can have it
  auto pool = std::make_shared<Pool>();
  pool->limit = properties->maxSize;
  *handle = handle_of(pool);
  return CUDA_SUCCESS;
}

CUresult cuMemPoolDestroy(CUmemoryPool handle) {
  std::shared_ptr<Pool> pool;
  GPUEXEC_TRY(find_pool(handle, pool));
  Driver &driver = Driver::get();
  GPUEXEC_REQUIRE(pool != driver.default_pool, INVALID_VALUE);
  if (pool == driver.current_pool())
    driver.set_current_pool(driver.default_pool);
  driver.pools.take(handle); // its memory stays until it is freed
  return CUDA_SUCCESS;
}

CUresult cuMemPoolTrimTo(CUmemoryPool handle, size_t) {
  std::shared_ptr<Pool> pool;
  return find_pool(handle, pool); // nothing is kept
}

CUresult cuMemPoolSetAttribute(CUmemoryPool handle,
                               CUmemPool_attribute attribute, void *value) {
  std::shared_ptr<Pool> pool;
  GPUEXEC_TRY(find_pool(handle, pool));
  GPUEXEC_REQUIRE(value, INVALID_VALUE);
  switch (attribute) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
    pool->attributes[attribute] = uint64_t(*static_cast<int *>(value));
    return CUDA_SUCCESS;
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
    pool->attributes[attribute] = *static_cast<cuuint64_t *>(value);
    return CUDA_SUCCESS;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH: // may only be reset
    GPUEXEC_REQUIRE(*static_cast<cuuint64_t *>(value) == 0, INVALID_VALUE);
    pool->use.reset_high();
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuMemPoolGetAttribute(CUmemoryPool handle,
                               CUmemPool_attribute attribute, void *value) {
  std::shared_ptr<Pool> pool;
  GPUEXEC_TRY(find_pool(handle, pool));
  GPUEXEC_REQUIRE(value, INVALID_VALUE);
  switch (attribute) {
  case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
  case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
    *static_cast<int *>(value) = int(pool->attributes[attribute]);
    return CUDA_SUCCESS;
  case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
    *static_cast<cuuint64_t *>(value) = pool->attributes[attribute];
    return CUDA_SUCCESS;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
  case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
    *static_cast<cuuint64_t *>(value) = pool->use.now();
    return CUDA_SUCCESS;
  case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
  case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
    *static_cast<cuuint64_t *>(value) = pool->use.high();
    return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc *access,
                            size_t count) {
  std::shared_ptr<Pool> pool;
  GPUEXEC_TRY(find_pool(handle, pool));
  GPUEXEC_REQUIRE(access || !count, INVALID_VALUE);
  for (size_t n = 0; n < count; ++n) {
    GPUEXEC_TRY(check_location(&access[n].location));
    // The device's own access cannot be taken away.
    GPUEXEC_REQUIRE(access[n].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
                    INVALID_VALUE);
  }
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool handle,
                            CUmemLocation *location) {
  std::shared_ptr<Pool> pool;
  GPUEXEC_TRY(find_pool(handle, pool));
  GPUEXEC_TRY(check_location(location));
  GPUEXEC_REQUIRE(flags, INVALID_VALUE);
  *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size,
                                 CUmemoryPool handle, CUstream stream_handle) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(address, INVALID_VALUE);
  auto stream = find_stream(*context, stream_handle);
  GPUEXEC_REQUIRE(stream, INVALID_HANDLE);
  std::shared_ptr<Pool> pool;
  GPUEXEC_TRY(find_pool(handle, pool));
  if (stream->is_captured)
    return allocate_captured(*context, *stream, address, size);
  GPUEXEC_REQUIRE(!pool->limit || (size <= pool->limit &&
                                   pool->use.now() <= pool->limit - size),
                  OUT_OF_MEMORY);
  void *memory = nullptr;
  GPUEXEC_TRY(context->memory.allocate(size, MemoryUse::device, 0,
                                       context.get(), &memory, pool));
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return CUDA_SUCCESS;
}
