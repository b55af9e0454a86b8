//===-- test/support/fake_cuda/mapping.cpp - Memory by addresses ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/support/fake_cuda/driver.h"
#include <sys/mman.h>

EXPORT CUresult cuMemAddressReserve(CUdeviceptr *address, size_t size,
                                    size_t alignment, CUdeviceptr,
                                    unsigned long long) {
  need_context("cuMemAddressReserve");
  if (CUresult result = enter_idle("cuMemAddressReserve"))
    return result;
  char *memory = static_cast<char *>(
      mmap(nullptr, size + alignment, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  CUdeviceptr begin = reinterpret_cast<CUdeviceptr>(memory);
  *address = (begin + alignment - 1) & -CUdeviceptr(alignment);
  fake().reserved[*address] = size;
  ++fake().live_allocations;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAddressFree(CUdeviceptr address, size_t size) {
  if (auto mapped = fake().mapped.lower_bound(address);
      mapped != fake().mapped.end() && mapped->first < address + size)
    fake().violations.insert("cuMemAddressFree of mapped memory");
  fake().live_allocations -= fake().reserved.erase(address);
  munmap(reinterpret_cast<void *>(address), size);
  return enter_idle("cuMemAddressFree");
}

EXPORT CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                            const CUmemAllocationProp *properties,
                            unsigned long long) {
  if (CUresult result = enter("cuMemCreate"))
    return result;
  if (size % (2u << 20) || properties->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      properties->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  if (size > fake().largest_heap || size > fake().free_memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  fake().free_memory -= size;
  fake().heap = size;
  *handle = fake().created.size() + 1;
  fake().created[*handle] = size;
  ++fake().live_allocations;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemRelease(CUmemGenericAllocationHandle handle) {
  if (auto memory = fake().created.find(handle); memory != fake().created.end())
    fake().free_memory += memory->second;
  fake().live_allocations -= fake().created.erase(handle);
  return enter_idle("cuMemRelease");
}

EXPORT CUresult cuMemMap(CUdeviceptr address, size_t size, size_t,
                         CUmemGenericAllocationHandle handle,
                         unsigned long long) {
  if (CUresult result = enter("cuMemMap"))
    return result;
  auto [begin, room] = *std::prev(fake().reserved.upper_bound(address));
  if (address - begin > room || size > room - (address - begin) ||
      fake().created[handle] != size)
    return CUDA_ERROR_INVALID_VALUE;
  fake().mapped[address] = size;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemUnmap(CUdeviceptr address, size_t) {
  fake().mapped.erase(address);
  fake().accessible.erase(address);
  return enter_idle("cuMemUnmap");
}

EXPORT CUresult cuMemSetAccess(CUdeviceptr address, size_t size,
                               const CUmemAccessDesc *access, size_t count) {
  if (CUresult result = enter("cuMemSetAccess"))
    return result;
  while (fake().holds_access_back && fake().kernels_running)
    usleep(1000);
  if (fake().mapped[address] < size || count != 1 ||
      access->flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
    return CUDA_ERROR_INVALID_VALUE;
  mprotect(reinterpret_cast<void *>(address), size, PROT_READ | PROT_WRITE);
  fake().accessible[address] = size;
  return CUDA_SUCCESS;
}

EXPORT CUresult
cuMemGetAllocationGranularity(size_t *granularity, const CUmemAllocationProp *,
                              CUmemAllocationGranularity_flags) {
  *granularity = 2u << 20;
  return enter("cuMemGetAllocationGranularity");
}
