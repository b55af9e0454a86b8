//===-- emulator/machine/page_allocator.cpp - Pages for the device --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/machine/page_allocator.h"

#include <algorithm>
#include <sys/mman.h>

namespace gpuexec::emulator {

static uint64_t align_up(uint64_t value, uint64_t alignment) {
  return (value + alignment - 1) & ~(alignment - 1);
}

void PageAllocator::use_shared(uint64_t begin, uint64_t size) {
  std::lock_guard guard(lock);
  shared = true;
  arenas.push_back({begin, size});
  put(begin, size);
}

PageAllocator::~PageAllocator() {
  if (shared)
    return;
  for (const Range &arena : arenas)
    munmap(reinterpret_cast<void *>(arena.begin), arena.size);
}

/// Reserves `size` bytes of address space, at `preferred` if that is free.
/// Returns the begin, or 0.
uint64_t PageAllocator::map(uint64_t size) {
  constexpr int FLAGS = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *memory = MAP_FAILED;
  if (preferred)
    memory = mmap(reinterpret_cast<void *>(preferred), size,
                  PROT_READ | PROT_WRITE, FLAGS | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == MAP_FAILED)
    memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, FLAGS, -1, 0);
  if (memory == MAP_FAILED)
    return 0;
  const uint64_t begin = reinterpret_cast<uint64_t>(memory);
  if (begin == preferred)
    preferred += size;
  return begin;
}

bool PageAllocator::grow(uint64_t size) {
  if (shared)
    return false;
  // A limit on address space (ulimit -v) or strict overcommit may forbid a
  // large arena: try smaller ones.
  for (uint64_t want =
           std::max(arena_bytes, align_up(size, LARGE_PAGE) + LARGE_PAGE);
       ; want /= 4) {
    want = std::max(align_up(want, PAGE_SIZE), align_up(size, PAGE_SIZE));
    if (const uint64_t begin = map(want)) {
      madvise(reinterpret_cast<void *>(begin), want, MADV_DONTDUMP);
      arenas.push_back({begin, want});
      put(begin, want);
      return true;
    }
    if (want <= align_up(size, PAGE_SIZE))
      return false;
  }
}

void PageAllocator::put(uint64_t begin, uint64_t size) {
  auto after = free_by_address.lower_bound(begin);
  if (after != free_by_address.end() && begin + size == after->first) {
    size += after->second;
    free_by_size.erase({after->second, after->first});
    after = free_by_address.erase(after);
  }
  if (after != free_by_address.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == begin) {
      free_by_size.erase({before->second, before->first});
      begin = before->first;
      size += before->second;
      free_by_address.erase(before);
    }
  }
  free_by_address.emplace(begin, size);
  free_by_size.emplace(size, begin);
}

uint64_t PageAllocator::take(uint64_t size, uint64_t alignment) {
  for (auto range = free_by_size.lower_bound({size, 0});
       range != free_by_size.end(); ++range) {
    auto [range_size, range_begin] = *range;
    uint64_t begin = align_up(range_begin, alignment);
    if (begin - range_begin > range_size - size)
      continue;
    free_by_size.erase(range);
    free_by_address.erase(range_begin);
    if (begin != range_begin)
      put(range_begin, begin - range_begin);
    if (uint64_t rest = range_begin + range_size - (begin + size))
      put(begin + size, rest);
    return begin;
  }
  return 0;
}

uint64_t PageAllocator::allocate(uint64_t size, uint64_t alignment) {
  if (!size || size > uint64_t(1) << 46 || alignment > uint64_t(1) << 40)
    return 0;
  size = align_up(size, PAGE_SIZE);
  alignment = std::max(alignment, PAGE_SIZE);
  std::lock_guard guard(lock);
  if (uint64_t begin = take(size, alignment))
    return begin;
  if (grow(size + alignment))
    if (uint64_t begin = take(size, alignment))
      return begin;
  // Out of address space: rather than fail, give out ranges in quarantine.
  while (!quarantine.empty()) {
    put(quarantine.front().begin, quarantine.front().size);
    quarantine.pop_front();
  }
  quarantine_bytes = 0;
  return take(size, alignment);
}

bool PageAllocator::owns(uint64_t address) const {
  std::lock_guard guard(lock);
  return std::any_of(arenas.begin(), arenas.end(), [&](const Range &arena) {
    return address - arena.begin < arena.size;
  });
}

void PageAllocator::free(uint64_t address, uint64_t size) {
  size = align_up(size, PAGE_SIZE);
  void *const pages = reinterpret_cast<void *>(address);
  // The pages read as zeros from now on. MADV_DONTNEED does that for private
  // pages, MADV_REMOVE for shared ones. Pages from use_shared() may be private
  // nevertheless: gpu-replay's are.
  if (!shared || madvise(pages, size, MADV_REMOVE))
    madvise(pages, size, MADV_DONTNEED);
  std::lock_guard guard(lock);
  quarantine.push_back({address, size});
  quarantine_bytes += size;
  while (quarantine_bytes > QUARANTINE_BYTES ||
         quarantine.size() > QUARANTINE_RANGES) {
    Range oldest = quarantine.front();
    quarantine.pop_front();
    quarantine_bytes -= oldest.size;
    put(oldest.begin, oldest.size);
  }
}

} // namespace gpuexec::emulator
