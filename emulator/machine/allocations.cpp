//===-- emulator/machine/allocations.cpp - Memory for clients -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/allocations.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace gpuexec::emulator {

namespace {
/// What the callback of Allocations::free() releases once no wave can be
/// reading the allocation.
struct Freed {
  PageAllocator *pages;
  uint8_t *shadow;
};
} // namespace

Allocations::~Allocations() {
  for (auto &[begin, allocation] : allocations)
    ::free(allocation.shadow);
}

void *Allocations::allocate(uint64_t size, MemoryKind kind, uint64_t limit,
                            const void *owner) {
  uint64_t mapped =
      (size + PageAllocator::PAGE_SIZE - 1) & ~(PageAllocator::PAGE_SIZE - 1);
  if (size > limit || mapped < size)
    return nullptr;
  {
    std::lock_guard guard(mutex);
    if (total + mapped > limit)
      return nullptr;
    total += mapped;
  }
  // Large allocations begin at a multiple of 2 MiB, as the vendor's driver does
  // it and clients rely on.
  uint64_t begin = pages.allocate(mapped, mapped >= PageAllocator::LARGE_PAGE
                                              ? PageAllocator::LARGE_PAGE
                                              : PageAllocator::PAGE_SIZE);
  Region region;
  region.begin = begin;
  region.end = begin + llvm::alignTo(size, REGION_ALIGNMENT);
  region.asked_end = begin + size;
  region.mapped_end = begin + mapped;
  region.kind = kind;
  // The client writes to host memory without a call to the emulator. Only for
  // device memory is it known which bytes were written.
  bool follow = options.check_uninitialized && kind == MemoryKind::device;
  if (begin && follow)
    region.shadow = static_cast<uint8_t *>(calloc(region.size(), 1));
  Allocation made = {begin, size, kind, owner, nullptr, mapped, region.shadow};
  std::lock_guard guard(mutex);
  if (!begin || (follow && !made.shadow)) {
    total -= mapped;
    if (begin)
      pages.free(begin, mapped);
    return nullptr;
  }
  memory.add(std::move(region));
  allocations[begin] = made;
  return reinterpret_cast<void *>(begin);
}

bool Allocations::free(void *pointer) {
  Allocation allocation;
  {
    std::lock_guard guard(mutex);
    auto found = allocations.find(reinterpret_cast<uint64_t>(pointer));
    if (found == allocations.end())
      return false;
    allocation = found->second;
    allocations.erase(found);
    total -= allocation.mapped;
  }
  auto *freed = new Freed{&pages, allocation.shadow};
  memory.remove(
      allocation.begin,
      [](void *context, uint64_t begin, uint64_t mapped_end) {
        auto *freed = static_cast<Freed *>(context);
        freed->pages->free(begin, mapped_end - begin);
        ::free(freed->shadow);
        delete freed;
      },
      freed);
  return true;
}

std::vector<std::pair<uint64_t, uint64_t>>
Allocations::uncovered(uint64_t begin, uint64_t end) const {
  std::vector<std::pair<uint64_t, uint64_t>> parts;
  while (begin < end) {
    auto nearest = memory.nearest(begin);
    if (nearest && nearest->distance == 0) {
      begin = nearest->region.end;
      continue;
    }
    uint64_t next = std::min(end, memory.next_begin(begin));
    parts.emplace_back(begin, next);
    begin = next;
  }
  return parts;
}

void Allocations::cover(Lock &lock) {
  for (auto [begin, end] : uncovered(lock.begin, lock.begin + lock.size)) {
    Region region;
    region.begin = begin;
    region.end = end;
    region.kind = MemoryKind::locked_host;
    if (memory.add(std::move(region)))
      lock.pieces.push_back(begin);
  }
}

bool Allocations::lock(void *pointer, uint64_t size) {
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  if (!begin || begin + size < begin ||
      begin + size > uint64_t(1) << AddressSpace::ADDRESS_BITS)
    return false;
  std::lock_guard guard(mutex);
  Lock made = {begin, size, {}};
  cover(made);
  locks.emplace(begin, std::move(made));
  return true;
}

bool Allocations::unlock(void *pointer) {
  std::lock_guard guard(mutex);
  auto found = locks.find(reinterpret_cast<uint64_t>(pointer));
  if (found == locks.end())
    return false;
  Lock gone = std::move(found->second);
  locks.erase(found);
  for (uint64_t piece : gone.pieces)
    memory.remove(piece);
  // Memory that another lock also covers stays visible.
  for (auto &[begin, other] : locks)
    if (begin < gone.begin + gone.size && gone.begin < begin + other.size)
      cover(other);
  return true;
}

std::optional<Allocation> Allocations::find(const void *pointer) const {
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard guard(mutex);
  auto after = allocations.upper_bound(address);
  if (after != allocations.begin() &&
      address - std::prev(after)->first < std::prev(after)->second.size)
    return std::prev(after)->second;
  for (auto &[begin, lock] : locks)
    if (address - begin < lock.size)
      return Allocation{begin, lock.size, MemoryKind::locked_host};
  if (auto nearest = memory.nearest(address);
      nearest && nearest->distance == 0 &&
      nearest->region.kind == MemoryKind::code)
    return Allocation{nearest->region.begin, nearest->region.size(),
                      MemoryKind::code};
  return std::nullopt;
}

bool Allocations::set_user_data(const void *pointer, void *data) {
  std::lock_guard guard(mutex);
  auto found = allocations.find(reinterpret_cast<uint64_t>(pointer));
  if (found == allocations.end())
    return false;
  found->second.user_data = data;
  return true;
}

bool Allocations::range_ok(const void *pointer, uint64_t size) const {
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  if (!size)
    return true;
  if (!begin || begin + size < begin)
    return false;
  if (auto nearest = memory.nearest(begin); nearest && nearest->distance == 0)
    return size <= nearest->region.mapped_end - begin ||
           nearest->region.kind == MemoryKind::locked_host;
  return !pages.owns(begin); // memory of the client, which must know its size
}

bool Allocations::copy(void *to, const void *from, uint64_t size) {
  AddressSpace::Reader reader(memory);
  reader.enter();
  const bool ok = range_ok(to, size) && range_ok(from, size);
  if (ok) {
    memmove(to, from, size);
    if (const Region *target = memory.find(reinterpret_cast<uint64_t>(to));
        target && target->shadow) {
      uint64_t offset = reinterpret_cast<uint64_t>(to) - target->begin;
      uint8_t *shadow = target->shadow + offset;
      size_t known = std::min<uint64_t>(size, target->size() - offset);
      const Region *source = memory.find(reinterpret_cast<uint64_t>(from));
      if (source && source->shadow)
        memmove(
            shadow,
            source->shadow + (reinterpret_cast<uint64_t>(from) - source->begin),
            std::min<uint64_t>(known,
                               source->end - reinterpret_cast<uint64_t>(from)));
      else
        memset(shadow, 0xff, known);
    }
  }
  reader.leave();
  return ok;
}

void Allocations::written(void *to, uint64_t size) {
  AddressSpace::Reader reader(memory);
  reader.enter();
  uint64_t begin = reinterpret_cast<uint64_t>(to);
  if (const Region *region = memory.find(begin); region && region->shadow)
    memset(region->shadow + (begin - region->begin), 0xff,
           std::min<uint64_t>(size, region->end - begin));
  reader.leave();
}

bool Allocations::fill(void *to, uint32_t value, uint64_t words) {
  if (reinterpret_cast<uint64_t>(to) % 4 || words > SIZE_MAX / 4)
    return false;
  if (!words)
    return true;
  AddressSpace::Reader reader(memory);
  reader.enter();
  const Region *region = memory.find(reinterpret_cast<uint64_t>(to));
  const bool ok = region && range_ok(to, words * 4);
  if (ok) {
    std::fill_n(static_cast<uint32_t *>(to), words, value);
    uint64_t offset = reinterpret_cast<uint64_t>(to) - region->begin;
    if (region->shadow)
      memset(region->shadow + offset, 0xff,
             std::min<uint64_t>(words * 4, region->size() - offset));
  }
  reader.leave();
  return ok;
}

} // namespace gpuexec::emulator
