//===-- test/support/fake_cuda/memory.cpp - Memory and copies -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/support/fake_cuda/driver.h"
#include <algorithm>
#include <sys/mman.h>

static CUresult give_memory(CUdeviceptr *address, size_t size) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  void *memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *address = reinterpret_cast<CUdeviceptr>(memory);
  f.ranges[*address] = size;
  ++f.live_allocations;
  return CUDA_SUCCESS;
}

static CUresult take_memory(const char *name, CUdeviceptr address) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  auto range = f.ranges.find(address);
  if (range == f.ranges.end()) {
    f.violations.insert(std::string(name) + " of what was not allocated");
    return CUDA_ERROR_INVALID_VALUE;
  }
  munmap(reinterpret_cast<void *>(address), range->second);
  f.ranges.erase(range);
  --f.live_allocations;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemAlloc_v2(CUdeviceptr *address, size_t size) {
  need_context("cuMemAlloc_v2");
  if (CUresult result = enter_idle("cuMemAlloc_v2"))
    return result;
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  if (f.memory && f.in_use + size > f.memory)
    return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult result = give_memory(address, size);
  if (result != CUDA_SUCCESS)
    return result;
  f.in_use += size;
  // A driver promises nothing about what is in it. (A whole heap would take
  // too long.)
  if (size <= 16 << 20)
    memset(reinterpret_cast<void *>(*address), 0xa5, size);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemFree_v2(CUdeviceptr address) {
  if (CUresult result = enter_idle("cuMemFree_v2"))
    return result;
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  if (auto range = f.ranges.find(address); range != f.ranges.end())
    f.in_use -= range->second;
  return take_memory("cuMemFree_v2", address);
}

EXPORT CUresult cuMemGetInfo_v2(size_t *unused, size_t *total) {
  *unused = fake().free_memory;
  *total = fake().memory ? fake().memory : size_t(8) << 30;
  return enter("cuMemGetInfo_v2");
}

EXPORT CUresult cuMemHostAlloc(void **memory, size_t size, unsigned) {
  need_context("cuMemHostAlloc");
  if (CUresult result = enter_idle("cuMemHostAlloc"))
    return result;
  CUdeviceptr address = 0;
  CUresult result = give_memory(&address, size);
  *memory = reinterpret_cast<void *>(address);
  // A driver promises nothing about what is in it.
  if (result == CUDA_SUCCESS)
    memset(*memory, 0xa5, size);
  fake().host[address] = size;
  return result;
}

EXPORT CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *memory,
                                             unsigned) {
  *address = reinterpret_cast<CUdeviceptr>(memory);
  return enter("cuMemHostGetDevicePointer_v2");
}

EXPORT CUresult cuMemFreeHost(void *memory) {
  fake().host.erase(reinterpret_cast<CUdeviceptr>(memory));
  if (CUresult result = enter_idle("cuMemFreeHost"))
    return result;
  return take_memory("cuMemFreeHost", reinterpret_cast<CUdeviceptr>(memory));
}

EXPORT CUresult cuMemHostRegister_v2(void *memory, size_t size, unsigned) {
  need_context("cuMemHostRegister_v2");
  if (CUresult result = enter_idle("cuMemHostRegister_v2"))
    return result;
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  f.ranges[address] = size;
  f.host[address] = size;
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemHostUnregister(void *memory) {
  Fake &f = fake();
  {
    std::lock_guard lock(f.mutex);
    const auto address = reinterpret_cast<CUdeviceptr>(memory);
    f.ranges.erase(address);
    f.host.erase(address);
  }
  return enter_idle("cuMemHostUnregister");
}

/// The range that holds all of [address, address + size), or null.
static bool in_device(CUdeviceptr address, size_t size) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  for (auto *set : {&f.ranges, &f.accessible}) {
    // A copy may go on from one mapped piece into the next.
    for (CUdeviceptr at = address;;) {
      auto next = set->upper_bound(at);
      if (next == set->begin())
        break;
      auto [begin, length] = *std::prev(next);
      if (at - begin > length)
        break;
      if (address + size <= begin + length)
        return true;
      if (at == begin + length)
        break;
      at = begin + length;
    }
  }
  return false;
}

EXPORT CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from,
                                     size_t size, CUstream stream) {
  need_context("cuMemcpyHtoDAsync_v2");
  delay("FAKE_CUDA_COPY_DELAY");
  if (CUresult result = enter("cuMemcpyHtoDAsync_v2"))
    return result;
  if (!stream || !in_device(to, size))
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(reinterpret_cast<void *>(to), from, size);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t size,
                                     CUstream stream) {
  need_context("cuMemcpyDtoHAsync_v2");
  delay("FAKE_CUDA_COPY_DELAY");
  if (CUresult result = enter("cuMemcpyDtoHAsync_v2"))
    return result;
  if (!stream || !in_device(from, size))
    return CUDA_ERROR_INVALID_VALUE;
  memcpy(to, reinterpret_cast<void *>(from), size);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuStreamWriteValue32_v2(CUstream, CUdeviceptr to,
                                        uint32_t value, unsigned) {
  need_context("cuStreamWriteValue32_v2");
  if (CUresult result = enter("cuStreamWriteValue32_v2"))
    return result;
  if (fake().pending == CUDA_SUCCESS) // behind a fault nothing happens
    std::atomic_ref(*reinterpret_cast<uint32_t *>(to)).store(value);
  return CUDA_SUCCESS;
}

EXPORT CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value,
                                size_t size, CUstream stream) {
  if (CUresult result = enter("cuMemsetD8Async"))
    return result;
  memset(reinterpret_cast<void *>(to), value, size);
  return expect(stream != nullptr);
}

EXPORT CUresult cuMemsetD32Async(CUdeviceptr to, unsigned word, size_t words,
                                 CUstream stream) {
  if (CUresult result = enter("cuMemsetD32Async"))
    return result;
  std::fill_n(reinterpret_cast<unsigned *>(to), words, word);
  return expect(stream != nullptr);
}

EXPORT CUresult cuPointerGetAttribute(void *value,
                                      CUpointer_attribute attribute,
                                      CUdeviceptr address) {
  Fake &f = fake();
  std::lock_guard lock(f.mutex);
  enter("cuPointerGetAttribute");
  for (auto *set : {&f.ranges, &f.accessible}) {
    auto next = set->upper_bound(address);
    if (next == set->begin())
      continue;
    auto [begin, length] = *std::prev(next);
    if (address - begin >= length)
      continue;
    switch (attribute) {
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *static_cast<CUdeviceptr *>(value) = begin;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *static_cast<size_t *>(value) = length;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (!f.host.count(begin))
        return CUDA_ERROR_INVALID_VALUE;
      *static_cast<void **>(value) = reinterpret_cast<void *>(address);
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_INVALID_VALUE;
}
