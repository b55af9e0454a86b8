//===-- lending/peer/host_memory.cpp - Memory for mailboxes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/peer/host_memory.h"
#include "lending/wire/shared_memory.h"
#include "llvm/ADT/STLExtras.h"
#include <cerrno>
#include <cstring>
#include <sys/mman.h>

namespace gpuexec::lending {

/// A mailbox for a wave or a few, argv and envp fit in the first part. It is
/// zeroed after each client.
static constexpr uint64_t FIRST_PART = uint64_t(1) << 20;
static constexpr uint64_t SMALLEST_PART = uint64_t(8) << 20;
/// A larger request has a part of exactly its size. Of a part for smaller ones,
/// three quarters are in use before the next is added: what is registered stays
/// below 4/3 of what clients asked for, and one part.
static constexpr uint64_t LARGEST_SHARED = SMALLEST_PART / 4;
/// What a worker keeps registered for its next client, bytes: a mailbox, and
/// memory for large copies.
static constexpr uint64_t MOST_KEPT = uint64_t(1) << 30;
static constexpr uint64_t PAGE = 4096;

HostMemory::~HostMemory() {
  for (Registered &part : parts)
    ::munmap(part.host, part.size);
}

llvm::Error HostMemory::add(uint64_t size) {
  size = (size + PAGE - 1) / PAGE * PAGE;
  UniqueFd file = wire::sealed_memory("gpuexec-mailbox", size);
  void *host = MAP_FAILED;
  if (file)
    host = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, file.get(),
                  0);
  if (host == MAP_FAILED)
    return failure(Reason::failed, "no memory for a mailbox: {0}",
                   std::strerror(errno));
  auto *bytes = static_cast<std::byte *>(host);
  llvm::Expected<DeviceAddress> begin = device.register_host({bytes, size});
  if (!begin) {
    ::munmap(host, size);
    return begin.takeError();
  }
  parts.push_back({std::move(file), bytes, size, *begin,
                   RangeAllocator(begin->value, size)});
  return llvm::Error::success();
}

llvm::Error HostMemory::prepare() {
  if (llvm::Error error = add(FIRST_PART))
    return error;
  parts[0].touched = FIRST_PART;
  return llvm::Error::success();
}

llvm::Expected<HostMemory::Piece> HostMemory::allocate(uint64_t size) {
  size = std::max<uint64_t>(size, 1);
  for (bool added = false;; added = true) {
    for (Registered &part : llvm::drop_begin(parts)) {
      uint64_t address = part.ranges.allocate(size, PAGE);
      if (!address)
        continue;
      part.touched = std::max(part.touched, address + size - part.begin.value);
      Piece piece{DeviceAddress(address), std::nullopt};
      if (!std::exchange(part.known, true))
        piece.part = Part{part.begin, part.size, part.file.get()};
      return piece;
    }
    if (added)
      return failure(Reason::failed, "no memory for a mailbox");
    if (llvm::Error error = add(size > LARGEST_SHARED ? size : SMALLEST_PART))
      return std::move(error);
  }
}

std::byte *HostMemory::view(DeviceAddress address, uint64_t size) const {
  for (const Registered &part : llvm::drop_begin(parts))
    if (lies_in(address, size, part.begin, part.touched))
      return part.host + (address - part.begin);
  return nullptr;
}

bool HostMemory::clear() {
  uint64_t registered = 0;
  for (Registered &part : parts) {
    registered += part.size;
    std::memset(part.host, 0, part.touched);
    if (&part == &parts.front())
      continue;
    part.ranges = RangeAllocator(part.begin.value, part.size);
    part.touched = 0;
    part.known = false;
  }
  return registered <= MOST_KEPT;
}

} // namespace gpuexec::lending
