//===-- loader/device/cuda/mapped_memory.cpp - Memory that grows ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/cuda/mapped_memory.h"
#include <algorithm>

namespace gpuexec::cuda {

static CUmemAllocationProp properties_of(CUdevice device) {
  CUmemAllocationProp properties{};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device;
  return properties;
}

MappedMemory::~MappedMemory() {
  for (const Piece &piece : pieces) {
    api.cuMemUnmap(piece.begin, piece.size);
    api.cuMemRelease(piece.memory);
  }
  if (reserved)
    api.cuMemAddressFree(address, reserved);
}

bool MappedMemory::is_supported() const {
  int supported = 0;
  return api.maps_memory() &&
         api.cuDeviceGetAttribute(
             &supported,
             CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
             device) == CUDA_SUCCESS &&
         supported;
}

CUresult MappedMemory::reserve(uint64_t limit, uint64_t alignment,
                               const char *&what) {
  CUmemAllocationProp properties = properties_of(device);
  size_t smallest = 0;
  what = "granularity of memory";
  if (CUresult result = api.cuMemGetAllocationGranularity(
          &smallest, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM))
    return result;
  granularity = std::max<uint64_t>(smallest, alignment);
  limit = (limit + granularity - 1) / granularity * granularity;
  what = "reserving addresses for the heap";
  CUresult result = api.cuMemAddressReserve(&address, limit, alignment, 0, 0);
  if (result == CUDA_SUCCESS)
    reserved = limit;
  return result;
}

CUresult MappedMemory::extend(uint64_t bytes, const char *&what) {
  bytes = (bytes + granularity - 1) / granularity * granularity;
  Piece piece{address + mapped, bytes, 0};
  what = "creating the heap";
  if (bytes == 0 || bytes > room())
    return CUDA_ERROR_OUT_OF_MEMORY;
  CUmemAllocationProp properties = properties_of(device);
  if (CUresult result = api.cuMemCreate(&piece.memory, bytes, &properties, 0))
    return result;
  what = "mapping the heap";
  CUresult result = api.cuMemMap(piece.begin, bytes, 0, piece.memory, 0);
  if (result == CUDA_SUCCESS) {
    CUmemAccessDesc access{};
    access.location = properties.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    what = "giving the device access to the heap";
    result = api.cuMemSetAccess(piece.begin, bytes, &access, 1);
    if (result)
      api.cuMemUnmap(piece.begin, bytes);
  }
  if (result) {
    api.cuMemRelease(piece.memory);
    return result;
  }
  pieces.push_back(piece);
  mapped.store(mapped + bytes, std::memory_order_release);
  return CUDA_SUCCESS;
}

} // namespace gpuexec::cuda
