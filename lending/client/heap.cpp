//===-- lending/client/heap.cpp - The program's heap ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/client/device.h"

namespace gpuexec::lending {

DeviceAddress Heap::allocate(uint64_t size, uint64_t alignment) {
  size = std::max<uint64_t>(size, 1);
  auto reply = link.ask(wire::HeapAllocate{size, alignment});
  if (!reply) {
    llvm::consumeError(reply.takeError()); // the launch says why
    return {};
  }
  const DeviceAddress address = reply->address;
  if (!address || address.value % alignment || !plausible(address, size))
    return {};
  std::lock_guard lock(mutex);
  ranges[address] = {address, size, true};
  return address;
}

void Heap::free(DeviceAddress address) {
  {
    std::lock_guard lock(mutex);
    ranges.erase(address);
  }
  llvm::consumeError(link.ask(wire::HeapFree{address}).takeError());
}

bool Heap::plausible(DeviceAddress address, uint64_t size) const {
  if (all_is_shared)
    return memory.view(address, size) != nullptr;
  return address && size <= UINT64_MAX - address.value;
}

/// True when all of [address, address + size) lies in `range`, and that is
/// writable if `writable`.
static bool fits(const MemoryRange &range, DeviceAddress address, uint64_t size,
                 bool writable) {
  return lies_in(address, size, range.begin, range.size) &&
         (range.writable || !writable);
}

bool Heap::known(DeviceAddress address, uint64_t size, bool writable) {
  if (!plausible(address, size))
    return false;
  {
    std::lock_guard lock(mutex);
    auto after = ranges.upper_bound(address);
    if (after != ranges.begin() &&
        fits(std::prev(after)->second, address, size, writable))
      return true;
  }
  // allocate() has entered the program's own allocations: a range that is found
  // here is one of code or globals. Such ranges never change, so it is kept.
  auto reply = link.ask(wire::FindRange{address});
  if (!reply) {
    llvm::consumeError(reply.takeError());
    return false;
  }
  const MemoryRange &range = reply->range;
  if (plausible(range.begin, range.size) &&
      fits(range, address, size, writable)) {
    std::lock_guard lock(mutex);
    ranges.emplace(range.begin, range);
    return true;
  }
  return asked(address, size, writable);
}

/// Asks about a range that may span several allocations.
bool Heap::asked(DeviceAddress address, uint64_t size, bool writable) {
  auto reply = link.ask(wire::Holds{address, size, writable});
  if (reply)
    return reply->holds;
  llvm::consumeError(reply.takeError());
  return false;
}

static llvm::Error not_the_devices(DeviceAddress address, uint64_t size) {
  return failure(Reason::failed, "{0} bytes at {1:x16} are not the device's",
                 size, address.value);
}

llvm::Error Heap::read(void *to, DeviceAddress from, uint64_t size) {
  if (size == 0)
    return llvm::Error::success();
  if (!known(from, size, /*writable=*/false))
    return not_the_devices(from, size);
  if (const std::byte *host = memory.view(from, size)) {
    std::memcpy(to, host, size);
    return llvm::Error::success();
  }
  return read_by_asking<wire::HeapRead>(
      link, {static_cast<std::byte *>(to), size_t(size)}, from);
}

llvm::Error Heap::write(DeviceAddress to, const void *from, uint64_t size) {
  if (size == 0)
    return llvm::Error::success();
  if (!known(to, size, /*writable=*/true))
    return not_the_devices(to, size);
  std::byte *host = telling ? nullptr : memory.view(to, size);
  if (host) {
    std::memcpy(host, from, size);
    return llvm::Error::success();
  }
  const char *bytes = static_cast<const char *>(from);
  for (uint64_t at = 0, part; at < size; at += part) {
    part = std::min<uint64_t>(size - at, link.largest_copy());
    if (llvm::Error error =
            link.ask(wire::HeapWrite{to + at, {bytes + at, size_t(part)}})
                .takeError())
      return error;
  }
  return llvm::Error::success();
}

void *Heap::host_view(DeviceAddress address, uint64_t size, bool writable) {
  if ((writable && telling) || !known(address, size, writable))
    return nullptr;
  return memory.view(address, size);
}

} // namespace gpuexec::lending
