//===-- loader/device/hsa/heap.cpp - The program's heap -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/hsa/heap.h"

namespace gpuexec::hsa {

Heap::~Heap() {
  for (auto &[address, block] : blocks)
    api.hsa_amd_memory_pool_free(block.base);
}

DeviceAddress Heap::allocate(uint64_t size, uint64_t alignment) {
  size = std::max<uint64_t>(size, 1);
  if (size > UINT64_MAX - alignment)
    return {};
  {
    std::lock_guard lock(mutex);
    if (size > limit - std::min(used, limit))
      return {};
    used += size;
  }
  auto give_up = [&]() -> DeviceAddress {
    std::lock_guard lock(mutex);
    used -= size;
    return {};
  };
  // Pools promise the alignment of a page. Large requests mostly get 2 MiB
  // anyway; where not, the address is rounded up in a larger one.
  void *memory = nullptr;
  if (api.hsa_amd_memory_pool_allocate(pool, size, 0, &memory) !=
      HSA_STATUS_SUCCESS)
    return give_up();
  if (reinterpret_cast<uint64_t>(memory) % alignment) {
    api.hsa_amd_memory_pool_free(memory);
    if (api.hsa_amd_memory_pool_allocate(pool, size + alignment, 0, &memory) !=
        HSA_STATUS_SUCCESS)
      return give_up();
  }
  DeviceAddress address((reinterpret_cast<uint64_t>(memory) + alignment - 1) &
                        -alignment);
  std::lock_guard lock(mutex);
  blocks.emplace(address, Block{memory, size});
  return address;
}

void Heap::free(DeviceAddress address) {
  void *base;
  {
    std::lock_guard lock(mutex);
    auto block = blocks.find(address);
    if (block == blocks.end())
      return;
    base = block->second.base;
    used -= block->second.size;
    blocks.erase(block);
  }
  api.hsa_amd_memory_pool_free(base);
}

void Heap::protect(DeviceAddress address, uint64_t size) {
  std::lock_guard lock(mutex);
  read_only[address] = address + size;
}

void Heap::unprotect(DeviceAddress address) {
  std::lock_guard lock(mutex);
  read_only.erase(address);
}

bool Heap::find_allocation(DeviceAddress address,
                           hsa_amd_pointer_info_t &info) const {
  info.size = sizeof(info);
  return api.hsa_amd_pointer_info(address.shared(), &info, nullptr, nullptr,
                                  nullptr) == HSA_STATUS_SUCCESS &&
         info.type != HSA_EXT_POINTER_TYPE_UNKNOWN;
}

/// True when the runtime has an allocation that holds all of the range, of
/// which nothing is read-only if `writable` is asked for.
bool Heap::known(DeviceAddress address, uint64_t size, bool writable,
                 void **host) {
  hsa_amd_pointer_info_t info{};
  if (!find_allocation(address, info))
    return false;
  DeviceAddress base = DeviceAddress::of(info.agentBaseAddress);
  if (!lies_in(address, size, base, info.sizeInBytes))
    return false;
  if (writable) {
    std::lock_guard lock(mutex);
    auto next = read_only.lower_bound(address + size);
    if (next != read_only.begin() && std::prev(next)->second > address)
      return false;
  }
  if (host)
    *host = host_reaches_all ? address.shared()
            : info.hostBaseAddress
                ? static_cast<char *>(info.hostBaseAddress) + (address - base)
                : nullptr;
  return true;
}

std::optional<MemoryRange> Heap::range_of(DeviceAddress address) {
  hsa_amd_pointer_info_t info{};
  if (!find_allocation(address, info))
    return std::nullopt;
  DeviceAddress begin = DeviceAddress::of(info.agentBaseAddress);
  DeviceAddress end = begin + info.sizeInBytes;
  bool writable = true;
  std::lock_guard lock(mutex);
  auto after = read_only.upper_bound(address);
  if (after != read_only.end())
    end = std::min(end, after->first);
  if (after != read_only.begin()) {
    auto [protected_begin, protected_end] = *std::prev(after);
    writable = protected_end <= address;
    begin = std::max(begin, writable ? protected_end : protected_begin);
    if (!writable)
      end = std::min(end, protected_end);
  }
  return MemoryRange{begin, end - begin, writable};
}

llvm::Error Heap::read(void *to, DeviceAddress from, uint64_t size) {
  if (size == 0)
    return llvm::Error::success();
  if (!known(from, size, false))
    return failure(Reason::failed, "{0} bytes at {1:x16} are not the device's",
                   size, from.value);
  return api.check(api.hsa_memory_copy(to, from.shared(), size),
                   "copying from the device");
}

llvm::Error Heap::write(DeviceAddress to, const void *from, uint64_t size) {
  if (size == 0)
    return llvm::Error::success();
  if (!known(to, size, true))
    return failure(Reason::failed,
                   "{0} bytes at {1:x16} are not the device's to write", size,
                   to.value);
  return api.check(api.hsa_memory_copy(to.shared(), from, size),
                   "copying to the device");
}

void *Heap::host_view(DeviceAddress address, uint64_t size, bool writable) {
  void *host = nullptr;
  // A GPU may have memory in its caches that the host would read: only memory
  // that was allocated for both sides, and the emulator's, is read in place.
  if (!known(address, size, writable, &host))
    return nullptr;
  if (host && writable && api.written)
    api.written(host, size);
  return host;
}

} // namespace gpuexec::hsa
