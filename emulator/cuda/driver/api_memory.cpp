//===-- emulator/cuda/driver/api_memory.cpp - Memory ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/api.h"
#include "emulator/cuda/driver/capture.h"

#include <cstring>

using namespace gpuexec::cuda;

namespace {

constexpr size_t PITCH = 512; // bytes to which rows are rounded up

uint64_t address_of(const void *pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

template <typename T> CUresult answer(void *data, T value) {
  memcpy(data, &value, sizeof(value));
  return CUDA_SUCCESS;
}

CUresult answer_context(void *data, const void *address) {
  auto context = Driver::get().living_contexts.find(address);
  return answer(data, static_cast<void *>(context ? context->slot : nullptr));
}

/// The range that the address is in, and the context that it belongs to.
CUresult find_range(uint64_t address, MemoryRange &range,
                    std::shared_ptr<Context> &context) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  const auto known = Driver::get().memory().find(address);
  if (!known && !context_stack().empty())
    GPUEXEC_TRY(current(context));
  GPUEXEC_REQUIRE(known, INVALID_VALUE);
  range = *known;
  return owner(range.context, context);
}

/// Attributes of memory that the program got from CUDA.
CUresult answer_pointer(void *data, CUpointer_attribute attribute,
                        const MemoryRange &range, CUdeviceptr address) {
  switch (attribute) {
  case CU_POINTER_ATTRIBUTE_CONTEXT:
    return answer_context(data, range.context);
  case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    return answer(data, unsigned(range.use == MemoryUse::pinned ||
                                         range.use == MemoryUse::registered
                                     ? CU_MEMORYTYPE_HOST
                                     : CU_MEMORYTYPE_DEVICE));
  case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    return answer(data, address);
  case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    if (range.use == MemoryUse::device || range.use == MemoryUse::array)
      return CUDA_ERROR_INVALID_VALUE;
    return answer(data, address);
  case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    return answer(data, range.id);
  case CU_POINTER_ATTRIBUTE_IS_MANAGED:
    return answer(data, unsigned(range.use == MemoryUse::managed));
  case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
    return answer(data, int(0));
  case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    return answer(data, CUdeviceptr(range.begin));
  case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    return answer(data, size_t(range.size));
  case CU_POINTER_ATTRIBUTE_MAPPED:
    return answer(data, true);
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

} // namespace

CUresult cuMemGetInfo(size_t *unused, size_t *total) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(unused && total, INVALID_VALUE);
  const uint64_t used = context->memory.used();
  *total = context->hsa.memory_size;
  *unused = *total > used ? *total - used : 0;
  return CUDA_SUCCESS;
}

CUresult cuMemAlloc(CUdeviceptr *address, size_t size) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(refuse_unsafe(*context));
  GPUEXEC_REQUIRE(address, INVALID_VALUE);
  void *memory = nullptr;
  GPUEXEC_TRY(context->memory.allocate(size, MemoryUse::device, 0,
                                       context.get(), &memory));
  *address = address_of(memory);
  return CUDA_SUCCESS;
}

CUresult cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width,
                         size_t height, unsigned element) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(refuse_unsafe(*context));
  GPUEXEC_REQUIRE(address && pitch && width && height, INVALID_VALUE);
  GPUEXEC_REQUIRE(element == 4 || element == 8 || element == 16, INVALID_VALUE);
  size_t bytes = 0;
  const size_t row = (width + PITCH - 1) / PITCH * PITCH;
  GPUEXEC_REQUIRE(row >= width && !__builtin_mul_overflow(row, height, &bytes),
                  OUT_OF_MEMORY);
  GPUEXEC_TRY(cuMemAlloc(address, bytes));
  *pitch = row;
  return CUDA_SUCCESS;
}

CUresult cuMemFree(CUdeviceptr address) {
  std::shared_ptr<Context> context;
  MemoryRange range;
  GPUEXEC_TRY(address ? find_range(address, range, context) : current(context));
  GPUEXEC_TRY(refuse_unsafe(*context));
  if (!address)
    return CUDA_SUCCESS;
  context->synchronize(); // work may still use it
  GraphMemories &graphs = Driver::get().graph_memories;
  if (range.pool == graphs.pool && graphs.give_back(address))
    return CUDA_SUCCESS;
  return context->memory.free(address, MemoryUse::device);
}

CUresult cuMemGetAddressRange(CUdeviceptr *begin, size_t *size,
                              CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  DeviceRange range;
  if (auto known = context->memory.find(address))
    range = {known->begin, known->size};
  else
    range = context->hsa.find(reinterpret_cast<void *>(address));
  GPUEXEC_REQUIRE(range.size, NOT_FOUND);
  if (begin)
    *begin = range.begin;
  if (size)
    *size = range.size;
  return CUDA_SUCCESS;
}

CUresult cuMemHostAlloc(void **memory, size_t size, unsigned flags) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(refuse_unsafe(*context));
  return context->memory.allocate(size, MemoryUse::pinned, flags, context.get(),
                                  memory);
}

CUresult cuMemAllocHost(void **memory, size_t size) {
  return cuMemHostAlloc(memory, size, 0);
}

CUresult cuMemFreeHost(void *memory) {
  std::shared_ptr<Context> context;
  MemoryRange range;
  GPUEXEC_TRY(memory ? find_range(address_of(memory), range, context)
                     : current(context));
  GPUEXEC_TRY(refuse_unsafe(*context));
  if (!memory)
    return CUDA_SUCCESS;
  context->synchronize();
  return context->memory.free(address_of(memory), MemoryUse::pinned);
}

CUresult cuMemAllocManaged(CUdeviceptr *address, size_t size, unsigned flags) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(refuse_unsafe(*context));
  GPUEXEC_REQUIRE(address, INVALID_VALUE);
  GPUEXEC_REQUIRE(flags == CU_MEM_ATTACH_GLOBAL || flags == CU_MEM_ATTACH_HOST,
                  INVALID_VALUE);
  void *memory = nullptr;
  GPUEXEC_TRY(context->memory.allocate(size, MemoryUse::managed, flags,
                                       context.get(), &memory));
  *address = address_of(memory);
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetDevicePointer(CUdeviceptr *address, void *memory,
                                   unsigned flags) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(address && flags == 0, INVALID_VALUE);
  GPUEXEC_REQUIRE(context->memory.is_pinned(memory), INVALID_VALUE);
  *address = address_of(memory);
  return CUDA_SUCCESS;
}

CUresult cuMemHostGetFlags(unsigned *flags, void *memory) {
  GPUEXEC_CURRENT(context);
  auto range = context->memory.find(address_of(memory));
  GPUEXEC_REQUIRE(flags && range && range->use == MemoryUse::pinned,
                  INVALID_VALUE);
  *flags = range->flags;
  return CUDA_SUCCESS;
}

CUresult cuMemHostRegister(void *memory, size_t size, unsigned flags) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_TRY(refuse_unsafe(*context));
  return context->memory.add_registered(memory, size, flags, context.get());
}

CUresult cuMemHostUnregister(void *memory) {
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  const auto known = Driver::get().memory().find(address_of(memory));
  std::shared_ptr<Context> context;
  GPUEXEC_TRY(known ? owner(known->context, context) : current(context));
  context->synchronize();
  return context->memory.remove_registered(memory);
}

CUresult cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                               CUdeviceptr address) {
  std::shared_ptr<Context> context;
  GPUEXEC_REQUIRE(Driver::get().ready(), NOT_INITIALIZED);
  GPUEXEC_REQUIRE(data, INVALID_VALUE);
  auto range = Driver::get().memory().find(address);
  if (!range) { // a variable of a module, or nothing of CUDA's
    GPUEXEC_TRY(current(context));
    const DeviceRange known =
        context->hsa.find(reinterpret_cast<void *>(address));
    GPUEXEC_REQUIRE(known.size, INVALID_VALUE);
    range = MemoryRange{known.begin, known.size, MemoryUse::device,
                        0,           0,          context.get()};
  }
  return answer_pointer(data, attribute, *range, address);
}

CUresult cuPointerGetAttributes(unsigned count, CUpointer_attribute *attributes,
                                void **data, CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(attributes && data, INVALID_VALUE);
  for (unsigned i = 0; i < count; ++i)
    if (data[i] &&
        cuPointerGetAttribute(data[i], attributes[i], address) != CUDA_SUCCESS)
      memset(data[i], 0, 4); // documented: null or the default value
  return CUDA_SUCCESS;
}

CUresult cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                               CUdeviceptr address) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(value && attribute == CU_POINTER_ATTRIBUTE_SYNC_MEMOPS &&
                      context->memory.find(address),
                  INVALID_VALUE);
  return CUDA_SUCCESS; // each copy is complete when it says so
}

// Memory does not move: host and device share it. Advice changes nothing.

CUresult cuMemAdvise_v2(CUdeviceptr address, size_t size, CUmem_advise,
                        CUmemLocation) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(context->memory.is_device_range(address, size),
                  INVALID_VALUE);
  return CUDA_SUCCESS;
}

#undef cuMemAdvise
GPUEXEC_CUDA_EXPORT CUresult cuMemAdvise(CUdeviceptr address, size_t size,
                                         CUmem_advise advice, CUdevice) {
  return cuMemAdvise_v2(address, size, advice, {});
}

CUresult cuMemPrefetchAsync_v2(CUdeviceptr address, size_t size, CUmemLocation,
                               unsigned, CUstream stream) {
  GPUEXEC_CURRENT(context);
  GPUEXEC_REQUIRE(context->memory.is_device_range(address, size),
                  INVALID_VALUE);
  GPUEXEC_REQUIRE(find_stream(*context, stream), INVALID_HANDLE);
  return CUDA_SUCCESS;
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
  GPUEXEC_REQUIRE(find_stream(*context, stream), INVALID_HANDLE);
  GPUEXEC_REQUIRE(context->memory.find(address), INVALID_VALUE);
  return CUDA_SUCCESS;
}

CUresult cuMemAllocAsync(CUdeviceptr *address, size_t size, CUstream stream) {
  GPUEXEC_CURRENT(context);
  CUmemoryPool pool = nullptr;
  GPUEXEC_TRY(cuDeviceGetMemPool(&pool, 0));
  return cuMemAllocFromPoolAsync(address, size, pool, stream);
}

CUresult cuMemFreeAsync(CUdeviceptr address, CUstream handle) {
  GPUEXEC_CURRENT(context);
  auto stream = find_stream(*context, handle);
  GPUEXEC_REQUIRE(stream, INVALID_HANDLE);
  auto range = context->memory.find(address);
  GPUEXEC_REQUIRE(range && range->begin == address, INVALID_VALUE);
  const bool is_graphs = range->pool == Driver::get().graph_memories.pool;
  if (stream->is_captured) {
    GPUEXEC_REQUIRE(is_graphs, INVALID_VALUE);
    bool done = false;
    return add_captured(
        *stream,
        [&] {
          return NodeContent{CU_GRAPH_NODE_TYPE_MEM_FREE,
                             CUDA_MEM_FREE_NODE_PARAMS{address}, nullptr};
        },
        done);
  }
  if (is_graphs && Driver::get().graph_memories.give_back(address))
    return CUDA_SUCCESS;
  auto work = [&memory = context->memory, address](Dispatcher &) {
    return memory.free(address, MemoryUse::device);
  };
  return context->submit(*stream, work, {}, Stream::When::always)
             ? CUDA_SUCCESS
             : CUDA_ERROR_OUT_OF_MEMORY;
}
