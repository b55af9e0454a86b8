//===-- lending/cuda/client/api_memory.cpp - Memory -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pinned memory is mapped by worker and program at one address. Managed memory
// is such memory too: both sides use it at any time, the device through the
// bus. Memory of the program that it registers stays pageable.
#include "lending/cuda/client/api.h"

#include <cstdio>

using namespace gpuexec::lent_cuda;

namespace {

template <typename T> CUresult answer(void *data, T value) {
  std::memcpy(data, &value, sizeof(T));
  return CUDA_SUCCESS;
}

bool is_host(Use use) { return use == Use::pinned || use == Use::registered; }

CUresult answer_pointer(void *data, CUpointer_attribute attribute,
                        const Memory &memory, CUdeviceptr address) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return answer(data, memory.context);
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return answer(data, unsigned(is_host(memory.use) ? CU_MEMORYTYPE_HOST
                                                     : CU_MEMORYTYPE_DEVICE));
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    GPUEXEC_REQUIRE(memory.use != Use::registered, INVALID_VALUE);
    return answer(data, address);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    GPUEXEC_REQUIRE(memory.use != Use::device && memory.use != Use::variable,
                    INVALID_VALUE);
    return answer(data, address);
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    return answer(data, memory.id);
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return answer(data, unsigned(memory.use == Use::managed));
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return answer(data, int(0));
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    return answer(data, CUdeviceptr(memory.begin));
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    return answer(data, size_t(memory.size));
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return answer(data, memory.use != Use::registered);
  case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
    return answer(data, unsigned(CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE));
  case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
  case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
  case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    return answer(data, false);
  case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
    return answer(data, static_cast<void *>(nullptr));
  default:
    return CUDA_ERROR_NOT_SUPPORTED;
  }
}

CUresult allocate_host(uint64_t &address, size_t size, Use use,
                       unsigned flags) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(size, INVALID_VALUE);
  Session &session = Session::get();
  GPUEXEC_TRY(session.allocate_host(size, address));
  session.add_memory({address, size, use, flags});
  return CUDA_SUCCESS;
}

CUresult free_host(const Memory &memory) {
  Session &session = Session::get();
  Memory gone;
  session.take_memory(memory.begin, gone);
  return session.free_host(memory.begin, memory.size);
}

// The program's memory pools. 0: the device's default one.
std::atomic<uint64_t> &current_pool() {
  static std::atomic<uint64_t> pool = 0;
  return pool;
}

CUresult default_pool(CUmemoryPool *pool) {
  static std::atomic<uint64_t> known = 0;
  if (!known) {
    Session &session = Session::get();
    uint32_t context = 0;
    const bool none = current_or_failed(context) != CUDA_SUCCESS;
    if (none)
      context_stack().push_back(session.primary());
    const uint64_t handle = session.add(Kind::pool);
    Writer writer;
    writer.put(handle);
    const CUresult result = session.ask(Call::FindPool, writer);
    if (none)
      context_stack().pop_back();
    GPUEXEC_TRY(result);
    known = handle;
  }
  *pool = reinterpret_cast<CUmemoryPool>(known.load());
  return CUDA_SUCCESS;
}

CUresult check_location(const CUmemLocation *location) {
  GPUEXEC_REQUIRE(location && location->type == CU_MEM_LOCATION_TYPE_DEVICE,
                  INVALID_VALUE);
  return check_device(location->id);
}

CUresult check_pool(CUmemoryPool pool) {
  GPUEXEC_REQUIRE(Session::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(Session::get().has(Kind::pool, number_of(pool)),
                  INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult pool_attribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                        void *value, bool sets) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(check_pool(pool));
  GPUEXEC_REQUIRE(value, INVALID_VALUE);
  const bool is_int =
      attribute == CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES ||
      attribute == CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC ||
      attribute == CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES;
  uint64_t number = 0;
  if (sets)
    std::memcpy(&number, value, is_int ? sizeof(int) : sizeof(number));
  Writer writer;
  writer.put(number_of(pool));
  writer.put(uint32_t(attribute));
  writer.put(uint32_t(sets));
  writer.put(number);
  GPUEXEC_TRY(
      Session::get().ask(Call::PoolAttribute, writer, [&](Reader &from) {
        number = from.take<uint64_t>();
      }));
  if (!sets)
    std::memcpy(value, &number, is_int ? sizeof(int) : sizeof(number));
  return CUDA_SUCCESS;
}

CUresult allocate_async(CUdeviceptr *address, size_t size, uint64_t pool,
                        CUstream stream) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(address, INVALID_VALUE);
  GPUEXEC_TRY(check_stream(stream));
  Writer writer;
  writer.put(uint64_t(size));
  writer.put(pool);
  writer.put(number_of(stream));
  Session &session = Session::get();
  GPUEXEC_TRY(session.ask(Call::AllocateAsync, writer, [&](Reader &from) {
    *address = from.take<CUdeviceptr>();
  }));
  session.add_memory({*address, size, Use::device, 0});
  return CUDA_SUCCESS;
}

} // namespace

CUresult cuMemAlloc(CUdeviceptr *address, size_t size) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(address && size, INVALID_VALUE);
  Writer writer;
  writer.put(uint64_t(size));
  Session &session = Session::get();
  uint64_t begin = 0;
  GPUEXEC_TRY(session.ask(Call::Allocate, writer, [&](Reader &from) {
    begin = from.take<uint64_t>();
  }));
  session.add_memory({begin, size, Use::device, 0});
  *address = begin;
  return CUDA_SUCCESS;
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width,
                         size_t height, unsigned element) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(address && pitch && width && height, INVALID_VALUE);
  GPUEXEC_REQUIRE(element == 4 || element == 8 || element == 16, INVALID_VALUE);
  Writer writer;
  writer.put(uint64_t(width));
  writer.put(uint64_t(height));
  writer.put(uint32_t(element));
  uint64_t begin = 0, row = 0;
  Session &session = Session::get();
  GPUEXEC_TRY(session.ask(Call::AllocatePitch, writer, [&](Reader &from) {
    begin = from.take<uint64_t>();
    row = from.take<uint64_t>();
  }));
  session.add_memory({begin, row * height, Use::device, 0});
  *address = begin;
  *pitch = row;
  return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  if (!address)
    return CUDA_SUCCESS;
  Session &session = Session::get();
  Memory memory;
  GPUEXEC_REQUIRE(session.find_memory(address, memory) &&
                      memory.begin == address &&
                      (memory.use == Use::device || memory.use == Use::managed),
                  INVALID_VALUE);
  if (memory.use == Use::managed)
    return free_host(memory);
  session.take_memory(address, memory);
  Writer writer;
  writer.put(uint64_t(address));
  return session.ask(Call::Free, writer);
}

CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *size,
                              CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  Memory memory;
  GPUEXEC_REQUIRE(Session::get().find_memory(address, memory), NOT_FOUND);
  if (begin)
    *begin = memory.begin;
  if (size)
    *size = memory.size;
  return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **memory, size_t size, unsigned flags) {
  GPUEXEC_REQUIRE(memory, INVALID_VALUE);
  uint64_t address = 0;
  GPUEXEC_TRY(allocate_host(address, size, Use::pinned, flags));
  *memory = reinterpret_cast<void *>(address);
  return CUDA_SUCCESS;
}

CUresult cuMemAllocHost(void **memory, size_t size) {
  return cuMemHostAlloc(memory, size, 0);
}

CUresult cuMemFreeHost(void *memory) {
  GPUEXEC_CURRENT(context);
  if (!memory)
    return CUDA_SUCCESS;
  Memory found;
  GPUEXEC_REQUIRE(Session::get().find_memory(number_of(memory), found) &&
                      found.begin == number_of(memory) &&
                      found.use == Use::pinned,
                  INVALID_VALUE);
  return free_host(found);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned flags) {
  GPUEXEC_REQUIRE(address, INVALID_VALUE);
  GPUEXEC_REQUIRE(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST,
                  INVALID_VALUE);
  uint64_t begin = 0;
  GPUEXEC_TRY(allocate_host(begin, size, Use::managed, flags));
  *address = begin;
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *memory,
                                   unsigned flags) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(address && flags == 0, INVALID_VALUE);
  Memory found;
  GPUEXEC_REQUIRE(Session::get().find_memory(number_of(memory), found) &&
                      found.use == Use::pinned,
                  INVALID_VALUE);
  *address = number_of(memory);
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned *flags, void *memory) {
  GPUEXEC_CURRENT(context);
  Memory found;
  GPUEXEC_REQUIRE(flags &&
                      Session::get().find_memory(number_of(memory), found) &&
                      found.use == Use::pinned,
                  INVALID_VALUE);
  *flags = found.flags;
  return CUDA_SUCCESS;
}

CUresult cuMemHostRegister(void *memory, size_t size, unsigned flags) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(memory && size && flags <= 15, INVALID_VALUE);
  if (flags & CU_MEMHOSTREGISTER_DEVICEMAP) {
    std::fprintf(stderr, "gpuexec cuda: memory that was not allocated by CUDA "
                         "cannot be mapped on a lent device\n");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  Session &session = Session::get();
  Memory found;
  GPUEXEC_REQUIRE(!session.find_memory(number_of(memory), found) &&
                      !session.find_memory(number_of(memory) + size - 1, found),
                  HOST_MEMORY_ALREADY_REGISTERED);
  session.add_memory({number_of(memory), size, Use::registered, flags});
  return CUDA_SUCCESS;
}

CUresult cuMemHostUnregister(void *memory) {
  GPUEXEC_CURRENT(context);
  Session &session = Session::get();
  Memory found;
  GPUEXEC_REQUIRE(session.find_memory(number_of(memory), found) &&
                      found.begin == number_of(memory) &&
                      found.use == Use::registered,
                  HOST_MEMORY_NOT_REGISTERED);
  session.take_memory(found.begin, found);
  return CUDA_SUCCESS;
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                               CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(data, INVALID_VALUE);
  Memory memory;
  GPUEXEC_REQUIRE(Session::get().find_memory(address, memory), INVALID_VALUE);
  return answer_pointer(data, attribute, memory, address);
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes,
                                void **data, CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(attributes && data, INVALID_VALUE);
  for (unsigned i = 0; i < count; ++i)
    if (data[i] &&
        cuPointerGetAttribute(data[i], attributes[i], address) != CUDA_SUCCESS)
      std::memset(data[i], 0, 4); // documented: null or the default value
  return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  Memory memory;
  GPUEXEC_REQUIRE(value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS &&
                      Session::get().find_memory(address, memory),
                  INVALID_VALUE);
  return CUDA_SUCCESS;
}

// Managed memory does not move. Advice changes nothing.

static CUresult check_range(CUdeviceptr address, size_t size) {
  Memory memory;
  GPUEXEC_REQUIRE(Session::get().find_memory(address, memory) &&
                      size <= memory.size - (address - memory.begin),
                  INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise,
                        CUmemLocation) {
  GPUEXEC_CURRENT(context);
  return check_range(address, size);
}

#undef cuMemAdvise
GPUEXEC_CUDA_EXPORT CUresult cuMemAdvise(CUdeviceptr address, size_t size,
                                         CUmem_advise advice, CUdevice) {
  return cuMemAdvise_v2(address, size, advice, {});
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation,
                               unsigned, CUstream stream) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(check_stream(stream));
  return check_range(address, size);
}

#undef cuMemPrefetchAsync
GPUEXEC_CUDA_EXPORT CUresult cuMemPrefetchAsync(CUdeviceptr address,
                                                size_t size, CUdevice,
                                                CUstream stream) {
  return cuMemPrefetchAsync_v2(address, size, {}, 0, stream);
}

CUresult cuStreamAttachMemAsync(CUstream stream, CUdeviceptr address, size_t,
                                unsigned) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(check_stream(stream));
  return check_range(address, 1);
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
  return allocate_async(address, size, current_pool(), stream);
}

CUresult cuMemAllocFromPoolAsync(CUdeviceptr *address, size_t size,
                                 CUmemoryPool pool, CUstream stream) {
  GPUEXEC_TRY(check_pool(pool));
  return allocate_async(address, size, number_of(pool), stream);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream stream) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(check_stream(stream));
  Session &session = Session::get();
  Memory memory;
  GPUEXEC_REQUIRE(session.find_memory(address, memory) &&
                      memory.begin == address && memory.use == Use::device,
                  INVALID_VALUE);
  session.take_memory(address, memory);
  Writer writer;
  writer.put(uint64_t(address));
  writer.put(number_of(stream));
  return session.post(Call::FreeAsync, writer);
}

CUresult cuDeviceGetDefaultMemPool(CUmemoryPool *pool, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(pool, INVALID_VALUE);
  return default_pool(pool);
}

CUresult cuDeviceGetMemPool(CUmemoryPool *pool, CUdevice device) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_REQUIRE(pool, INVALID_VALUE);
  if (!current_pool())
    return default_pool(pool);
  *pool = reinterpret_cast<CUmemoryPool>(current_pool().load());
  return CUDA_SUCCESS;
}

CUresult cuDeviceSetMemPool(CUdevice device, CUmemoryPool pool) {
  GPUEXEC_TRY(check_device(device));
  GPUEXEC_TRY(check_pool(pool));
  current_pool() = number_of(pool);
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

CUresult cuMemPoolCreate(CUmemoryPool *pool, const CUmemPoolProps *properties) {
  GPUEXEC_REQUIRE(pool && properties &&
                      properties->allocType == CU_MEM_ALLOCATION_TYPE_PINNED,
                  INVALID_VALUE);
  GPUEXEC_TRY(check_location(&properties->location));
  GPUEXEC_REQUIRE(properties->handleTypes == CU_MEM_HANDLE_TYPE_NONE,
                  NOT_SUPPORTED);
  GPUEXEC_CURRENT(context);
  Session &session = Session::get();
  const uint64_t handle = session.add(Kind::pool);
  Writer writer;
  writer.put(handle);
  writer.put(*properties);
  const CUresult result = session.ask(Call::MakePool, writer);
  if (result != CUDA_SUCCESS)
    session.remove(Kind::pool, handle);
  else
    *pool = reinterpret_cast<CUmemoryPool>(handle);
  return result;
}

CUresult cuMemPoolDestroy(CUmemoryPool pool) {
  GPUEXEC_TRY(check_pool(pool));
  CUmemoryPool standard = nullptr;
  GPUEXEC_TRY(default_pool(&standard));
  GPUEXEC_REQUIRE(pool != standard, INVALID_VALUE);
  if (current_pool() == number_of(pool))
    current_pool() = 0;
  return Session::get().destroy(Kind::pool, number_of(pool));
}

CUresult cuMemPoolSetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                               void *value) {
  return pool_attribute(pool, attribute, value, /*sets=*/true);
}

CUresult cuMemPoolGetAttribute(CUmemoryPool pool, CUmemPool_attribute attribute,
                               void *value) {
  return pool_attribute(pool, attribute, value, /*sets=*/false);
}

CUresult cuMemPoolSetAccess(CUmemoryPool pool, const CUmemAccessDesc *access,
                            size_t count) {
  GPUEXEC_TRY(check_pool(pool));
  GPUEXEC_REQUIRE(access || !count, INVALID_VALUE);
  for (size_t n = 0; n < count; ++n) {
    GPUEXEC_TRY(check_location(&access[n].location));
    // The device's own access cannot be taken away.
    GPUEXEC_REQUIRE(access[n].flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
                    INVALID_VALUE);
  }
  return CUDA_SUCCESS;
}

CUresult cuMemPoolGetAccess(CUmemAccess_flags *flags, CUmemoryPool pool,
                            CUmemLocation *location) {
  GPUEXEC_TRY(check_pool(pool));
  GPUEXEC_TRY(check_location(location));
  GPUEXEC_REQUIRE(flags, INVALID_VALUE);
  *flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  return CUDA_SUCCESS;
}
