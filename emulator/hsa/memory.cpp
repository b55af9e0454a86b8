//===-- emulator/hsa/memory.cpp - Allocations, locks and copies -----------===//
#include "emulator/hsa/runtime.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace gpuexec::emulator {

namespace {
struct Given {
  PageAllocator *pages;
  uint8_t *shadow;
};
} // namespace

hsa_status_t Runtime::allocate(const Pool &pool, size_t size, void **pointer) {
  uint64_t mapped = (uint64_t(size) + PageAllocator::PAGE_SIZE - 1) &
                    ~(PageAllocator::PAGE_SIZE - 1);
  if (size > pool.size || mapped < size)
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  {
    std::lock_guard guard(lock_);
    if (pool_bytes + mapped > pool.size)
      return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
    pool_bytes += mapped;
  }
  // Large ones on large pages, as the vendor's driver does and clients rely on.
  uint64_t begin = pages.allocate(mapped, mapped >= PageAllocator::LARGE_PAGE
                                              ? PageAllocator::LARGE_PAGE
                                              : PageAllocator::PAGE_SIZE);
  Region region;
  region.begin = begin;
  region.end = begin + llvm::alignTo(size, REGION_ALIGNMENT);
  region.asked_end = begin + size;
  region.mapped_end = begin + mapped;
  region.kind = pool.kind;
  // Host memory is written by the client behind our back; only what the device
  // alone writes can be followed.
  bool follow =
      options().check_uninitialized && pool.kind == MemoryKind::device;
  if (begin && follow)
    region.shadow = static_cast<uint8_t *>(calloc(region.size(), 1));
  Allocation allocation = {begin, size, &pool, nullptr, mapped, region.shadow};
  std::lock_guard guard(lock_);
  if (!begin || (follow && !allocation.shadow)) {
    pool_bytes -= mapped;
    if (begin)
      pages.free(begin, mapped);
    return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
  }
  memory.add(std::move(region));
  allocations[begin] = allocation;
  *pointer = reinterpret_cast<void *>(begin);
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Runtime::free(void *pointer) {
  Allocation allocation;
  {
    std::lock_guard guard(lock_);
    auto found = allocations.find(reinterpret_cast<uint64_t>(pointer));
    if (found == allocations.end())
      return HSA_STATUS_ERROR_INVALID_ALLOCATION;
    allocation = found->second;
    allocations.erase(found);
    pool_bytes -= allocation.mapped;
  }
  auto *given = new Given{&pages, allocation.shadow};
  memory.remove(
      allocation.begin,
      [](void *context, uint64_t begin, uint64_t mapped_end) {
        auto *given = static_cast<Given *>(context);
        given->pages->free(begin, mapped_end - begin);
        ::free(given->shadow);
        delete given;
      },
      given);
  return HSA_STATUS_SUCCESS;
}

// The parts of [begin, end) that no live region covers.
std::vector<std::pair<uint64_t, uint64_t>>
Runtime::uncovered(uint64_t begin, uint64_t end) const {
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

void Runtime::cover(Lock &lock) {
  for (auto [begin, end] : uncovered(lock.begin, lock.begin + lock.size)) {
    Region region;
    region.begin = begin;
    region.end = end;
    region.kind = MemoryKind::locked_host;
    if (memory.add(std::move(region)))
      lock.pieces.push_back(begin);
  }
}

hsa_status_t Runtime::lock(void *pointer, size_t size) {
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  if (!begin || begin + size < begin ||
      begin + size > uint64_t(1) << AddressSpace::ADDRESS_BITS)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  std::lock_guard guard(lock_);
  Lock made = {begin, size, {}};
  cover(made);
  locks.emplace(begin, std::move(made));
  return HSA_STATUS_SUCCESS;
}

hsa_status_t Runtime::unlock(void *pointer) {
  std::lock_guard guard(lock_);
  auto found = locks.find(reinterpret_cast<uint64_t>(pointer));
  if (found == locks.end())
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  Lock gone = std::move(found->second);
  locks.erase(found);
  for (uint64_t piece : gone.pieces)
    memory.remove(piece);
  // What another lock also covers stays visible.
  for (auto &[begin, other] : locks)
    if (begin < gone.begin + gone.size && gone.begin < begin + other.size)
      cover(other);
  return HSA_STATUS_SUCCESS;
}

std::optional<Allocation> Runtime::allocation_of(const void *pointer) const {
  uint64_t address = reinterpret_cast<uint64_t>(pointer);
  std::lock_guard guard(lock_);
  auto after = allocations.upper_bound(address);
  if (after != allocations.begin() &&
      address - std::prev(after)->first < std::prev(after)->second.size)
    return std::prev(after)->second;
  for (auto &[begin, lock] : locks)
    if (address - begin < lock.size)
      return Allocation{begin, lock.size, nullptr, nullptr, 0, nullptr};
  // A global of a loaded code object: the device's memory, as the vendor's
  // loader allocates it.
  if (auto nearest = memory.nearest(address);
      nearest && nearest->distance == 0 &&
      nearest->region.kind == MemoryKind::code)
    return Allocation{nearest->region.begin,
                      nearest->region.size(),
                      agents.back()->pools.front().get(),
                      nullptr,
                      0,
                      nullptr};
  return std::nullopt;
}

bool Runtime::set_user_data(const void *pointer, void *data) {
  std::lock_guard guard(lock_);
  auto found = allocations.find(reinterpret_cast<uint64_t>(pointer));
  if (found == allocations.end())
    return false;
  found->second.user_data = data;
  return true;
}

bool Runtime::range_ok(const void *pointer, size_t size) const {
  uint64_t begin = reinterpret_cast<uint64_t>(pointer);
  if (!size)
    return true;
  if (!begin || begin + size < begin)
    return false;
  if (auto nearest = memory.nearest(begin); nearest && nearest->distance == 0)
    return size <= nearest->region.mapped_end - begin ||
           nearest->region.kind == MemoryKind::locked_host;
  return !pages.owns(begin); // the client's own memory: it answers for that
}

hsa_status_t Runtime::copy(void *to, const void *from, size_t size) {
  AddressSpace::Reader reader(memory);
  reader.enter();
  hsa_status_t status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
  if (range_ok(to, size) && range_ok(from, size)) {
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
    status = HSA_STATUS_SUCCESS;
  }
  reader.leave();
  return status;
}

void Runtime::written(void *to, size_t size) {
  AddressSpace::Reader reader(memory);
  reader.enter();
  uint64_t begin = reinterpret_cast<uint64_t>(to);
  if (const Region *region = memory.find(begin); region && region->shadow)
    memset(region->shadow + (begin - region->begin), 0xff,
           std::min<uint64_t>(size, region->end - begin));
  reader.leave();
}

hsa_status_t Runtime::fill(void *to, uint32_t value, size_t count) {
  if (reinterpret_cast<uint64_t>(to) % 4 || count > SIZE_MAX / 4)
    return HSA_STATUS_ERROR_INVALID_ARGUMENT;
  AddressSpace::Reader reader(memory);
  reader.enter();
  hsa_status_t status = HSA_STATUS_ERROR_INVALID_ARGUMENT;
  const Region *region = memory.find(reinterpret_cast<uint64_t>(to));
  if (!count) {
    status = HSA_STATUS_SUCCESS;
  } else if (region && range_ok(to, count * 4)) {
    std::fill_n(static_cast<uint32_t *>(to), count, value);
    uint64_t offset = reinterpret_cast<uint64_t>(to) - region->begin;
    if (region->shadow)
      memset(region->shadow + offset, 0xff,
             std::min<uint64_t>(count * 4, region->size() - offset));
    status = HSA_STATUS_SUCCESS;
  }
  reader.leave();
  return status;
}

} // namespace gpuexec::emulator
