//===-- lending/relay/memory.cpp - Host memory of a lent device -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lending/relay/memory.h"
#include "lending/wire/shared_memory.h"
#include <algorithm>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuexec::relay {

static constexpr uint64_t PAGE = 4096;
/// The most bytes of all parts. Mailboxes of the largest launches take some 20
/// MiB.
static constexpr uint64_t MOST_MEMORY = uint64_t(1) << 30;
static constexpr size_t MOST_PARTS = 256;

Memory::~Memory() {
  for (Part &part : parts) {
    ::munmap(part.host, part.size);
    ::munmap(part.shadow, part.size);
  }
}

bool Memory::add(DeviceAddress begin, uint64_t size, UniqueFd file,
                 uint64_t offset) {
  if (!begin || !size || size > MOST_MEMORY - total ||
      parts.size() >= MOST_PARTS || size > UINT64_MAX - begin.value)
    return false;
  void *host = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED,
                      file.get(), off_t(offset));
  if (host == MAP_FAILED)
    return false;
  void *shadow = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (shadow == MAP_FAILED) {
    ::munmap(host, size);
    return false;
  }
  total += size;
  parts.push_back({begin, size, std::move(file), offset,
                   static_cast<std::byte *>(host),
                   static_cast<std::byte *>(shadow)});
  return true;
}

bool Memory::map(DeviceAddress begin, uint64_t size, UniqueFd file,
                 uint64_t offset) {
  struct stat facts {};
  // A file that can shrink would end this process with SIGBUS.
  return ::fstat(file.get(), &facts) == 0 && offset % PAGE == 0 &&
         offset <= uint64_t(facts.st_size) &&
         size <= uint64_t(facts.st_size) - offset &&
         (::fcntl(file.get(), F_GET_SEALS) & F_SEAL_SHRINK) &&
         add(begin, size, std::move(file), offset);
}

int Memory::make(DeviceAddress begin, uint64_t size) {
  if (size > MOST_MEMORY)
    return -1;
  UniqueFd file = wire::sealed_memory("gpuexec-mailbox", size);
  if (!file || !add(begin, size, std::move(file), 0))
    return -1;
  return parts.back().file.get();
}

const Memory::Part *Memory::find(DeviceAddress address, uint64_t size) const {
  for (const Part &part : parts)
    if (lies_in(address, size, part.begin, part.size))
      return &part;
  return nullptr;
}

std::byte *Memory::view(DeviceAddress address, uint64_t size) const {
  const Part *part = find(address, size);
  return part ? part->host + (address - part->begin) : nullptr;
}

bool Memory::take(llvm::StringRef body) {
  std::optional<wire::ChangedMemory> changed =
      wire::decode<wire::ChangedMemory>(body);
  if (!changed)
    return false;
  const auto [address, bytes] = *changed;
  const Part *part = find(address, bytes.size());
  if (!part)
    return false;
  for (std::byte *to : {part->host, part->shadow})
    std::memcpy(to + (address - part->begin), bytes.data(), bytes.size());
  return true;
}

/// Sends the changes in the bytes from `begin` to `end` of a part.
void Memory::send_changes(const Part &part, uint64_t begin, uint64_t end,
                          Outbox &out) {
  // Skips holes of the file: nobody has written there.
  while (begin < end) {
    const off_t data =
        ::lseek(part.file.get(), off_t(part.offset + begin), SEEK_DATA);
    if (data < 0 || uint64_t(data) >= part.offset + end)
      return;
    const off_t hole = ::lseek(part.file.get(), data, SEEK_HOLE);
    const uint64_t stop =
        hole < 0 ? end : std::min(end, uint64_t(hole) - part.offset);
    for (uint64_t at = uint64_t(data) - part.offset; at < stop;) {
      const uint64_t next = std::min(stop, (at / PAGE + 1) * PAGE);
      if (std::memcmp(part.host + at, part.shadow + at, next - at) != 0) {
        // Sends the copy: the original may change meanwhile.
        std::memcpy(part.shadow + at, part.host + at, next - at);
        out.frame(wire::ChangedMemory{
            part.begin + at,
            {reinterpret_cast<const char *>(part.shadow + at),
             size_t(next - at)}});
      }
      at = next;
    }
    begin = stop;
  }
}

void Memory::send_changes(Outbox &out, DeviceAddress except, uint64_t size) {
  std::pair<DeviceAddress, uint64_t> excepted[] = {{except, size},
                                                   {copies, copies_size}};
  std::ranges::sort(excepted);
  for (const Part &part : parts) {
    uint64_t from = 0;
    for (auto [address, bytes] : excepted)
      if (bytes && lies_in(address, bytes, part.begin, part.size)) {
        send_changes(part, from, address - part.begin, out);
        from = std::max(from, address - part.begin + bytes);
      }
    send_changes(part, from, part.size, out);
  }
}

bool Memory::set_copies(DeviceAddress begin, uint64_t size) {
  if (copies_size || !size || !find(begin, size))
    return false;
  copies = begin;
  copies_size = size;
  return true;
}

char *Memory::view_copies(DeviceAddress address, uint64_t size) const {
  if (!copies_size || !lies_in(address, size, copies, copies_size))
    return nullptr;
  return reinterpret_cast<char *>(view(address, size));
}

bool Memory::send_copied(Outbox &out, DeviceAddress address,
                         uint64_t size) const {
  /// Bytes of one frame. The relay looks at the mailbox after every few frames.
  constexpr uint64_t LARGEST = uint64_t(256) << 10;
  const char *bytes = view_copies(address, size);
  if (!bytes)
    return false;
  for (uint64_t at = 0; at < size; at += LARGEST)
    out.frame(wire::CopiedBytes{address + at, {}},
              {bytes + at, size_t(std::min(LARGEST, size - at))});
  return true;
}

} // namespace gpuexec::relay
