//===-- emulator/cuda/driver/memory.cpp - See memory.h --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/cuda/driver/memory.h"

namespace gpuexec::cuda {

static void *pointer(uint64_t address) {
  return reinterpret_cast<void *>(address);
}

CUresult Memory::allocate(size_t size, MemoryUse use, unsigned flags,
                          const void *context, void **memory,
                          std::shared_ptr<Pool> pool) {
  if (!size || !memory)
    return CUDA_ERROR_INVALID_VALUE;
  // NVIDIA's driver gives memory in pieces of so many bytes. Programs that go
  // a little beyond an array run there, such as one of Numba's own tests.
  constexpr size_t PIECE = 512;
  const size_t whole = (size + PIECE - 1) / PIECE * PIECE;
  void *made = size > hsa.memory_size ? nullptr : hsa.allocate(whole);
  if (!made)
    return CUDA_ERROR_OUT_OF_MEMORY;
  const auto begin = reinterpret_cast<uint64_t>(made);
  std::lock_guard guard(mutex);
  if (pool)
    pool->use.add(size);
  ranges[begin] = {begin,   size,           use, flags, ++last_id,
                   context, std::move(pool)};
  bytes += size;
  *memory = made;
  return CUDA_SUCCESS;
}

CUresult Memory::free(uint64_t begin, MemoryUse use) {
  {
    std::lock_guard guard(mutex);
    auto found = ranges.find(begin);
    // cuMemFree also frees managed memory.
    const bool fits =
        found != ranges.end() &&
        (found->second.use == use ||
         (use == MemoryUse::device && found->second.use == MemoryUse::managed));
    if (!fits)
      return CUDA_ERROR_INVALID_VALUE;
    bytes -= found->second.size;
    if (const auto &pool = found->second.pool)
      pool->use.remove(found->second.size);
    ranges.erase(found);
  }
  hsa.free(pointer(begin));
  return CUDA_SUCCESS;
}

CUresult Memory::add_registered(void *memory, size_t size, unsigned flags,
                                const void *context) {
  const auto begin = reinterpret_cast<uint64_t>(memory);
  if (!memory || !size || begin + size < begin)
    return CUDA_ERROR_INVALID_VALUE;
  std::lock_guard guard(mutex);
  auto next = ranges.lower_bound(begin);
  const bool overlaps =
      (next != ranges.end() && next->first < begin + size) ||
      (next != ranges.begin() &&
       std::prev(next)->first + std::prev(next)->second.size > begin);
  if (overlaps)
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  if (!hsa.lock(memory, size))
    return CUDA_ERROR_INVALID_VALUE;
  ranges[begin] = {begin,   size,   MemoryUse::registered, flags, ++last_id,
                   context, nullptr};
  return CUDA_SUCCESS;
}

CUresult Memory::remove_registered(void *memory) {
  std::lock_guard guard(mutex);
  auto found = ranges.find(reinterpret_cast<uint64_t>(memory));
  if (found == ranges.end() || found->second.use != MemoryUse::registered)
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  ranges.erase(found);
  hsa.unlock(memory);
  return CUDA_SUCCESS;
}

void Memory::free_all(const void *context) {
  std::vector<MemoryRange> own;
  {
    std::lock_guard guard(mutex);
    for (auto at = ranges.begin(); at != ranges.end();)
      if (at->second.context == context) {
        own.push_back(at->second);
        if (const auto &pool = at->second.pool)
          pool->use.remove(at->second.size);
        if (at->second.use != MemoryUse::registered)
          bytes -= at->second.size;
        at = ranges.erase(at);
      } else {
        ++at;
      }
  }
  for (const MemoryRange &range : own)
    if (range.use == MemoryUse::registered)
      hsa.unlock(pointer(range.begin));
    else
      hsa.free(pointer(range.begin));
}

std::optional<MemoryRange> Memory::find(uint64_t address) const {
  std::lock_guard guard(mutex);
  auto next = ranges.upper_bound(address);
  if (next == ranges.begin())
    return std::nullopt;
  const MemoryRange &range = std::prev(next)->second;
  if (address - range.begin >= range.size)
    return std::nullopt;
  return range;
}

bool Memory::is_device_range(uint64_t address, size_t size) const {
  uint64_t begin, length;
  if (auto range = find(address)) {
    begin = range->begin;
    length = range->size;
  } else {
    const DeviceRange known = hsa.find(pointer(address));
    begin = known.begin;
    length = known.size;
  }
  return address >= begin && address - begin <= length &&
         size <= length - (address - begin);
}

bool Memory::is_pinned(const void *address) const {
  return find(reinterpret_cast<uint64_t>(address)).has_value();
}

uint64_t Memory::used() const {
  std::lock_guard guard(mutex);
  return bytes;
}

} // namespace gpuexec::cuda
