//===-- emulator/machine/page_allocator.h - Device pages --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates ranges of zeroed pages from large reserved arenas. A freed range is
// not allocated again until QUARANTINE_BYTES or QUARANTINE_RANGES more were
// freed: a late access to it is reported as such and does not hit other data.
// Physical pages go back to the host at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_PAGE_ALLOCATOR_H
#define GPUEXEC_EMULATOR_MACHINE_PAGE_ALLOCATOR_H

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <vector>

namespace gpuexec::emulator {

class PageAllocator {
public:
  static constexpr uint64_t PAGE_SIZE = 4096;
  static constexpr uint64_t LARGE_PAGE = uint64_t(2) << 20;
  static constexpr uint64_t QUARANTINE_BYTES = uint64_t(8) << 30;
  static constexpr size_t QUARANTINE_RANGES = 16384;

  /// Reserves address space in steps of at least `arena_bytes`; nothing before
  /// the first allocation. `preferred`: where it begins if that is free, whole
  /// pages, so that the same allocations have the same addresses in each
  /// process; 0: anywhere.
  explicit PageAllocator(uint64_t arena_bytes = uint64_t(64) << 30,
                         uint64_t preferred = 0)
      : arena_bytes(arena_bytes), preferred(preferred) {}
  /// Before the first allocation: allocates only from [begin, begin + size),
  /// whole pages of zeros that are mapped MAP_SHARED. They stay the caller's;
  /// another process may have mapped the same pages.
  void use_shared(uint64_t begin, uint64_t size);
  ~PageAllocator();
  PageAllocator(const PageAllocator &) = delete;

  /// At least `size` bytes of zeros, aligned to `alignment` (a power of two)
  /// and to PAGE_SIZE. 0 when the host has no address space left.
  uint64_t allocate(uint64_t size, uint64_t alignment = PAGE_SIZE);
  /// Exactly what allocate() returned, with the same size.
  void free(uint64_t address, uint64_t size);
  /// True when the address lies in one of the arenas, allocated or not.
  bool owns(uint64_t address) const;

private:
  uint64_t take(uint64_t size, uint64_t alignment);
  void put(uint64_t begin, uint64_t size);
  bool grow(uint64_t size);
  uint64_t map(uint64_t size);

  struct Range {
    uint64_t begin, size;
  };
  mutable std::mutex lock;
  uint64_t arena_bytes;
  uint64_t preferred;  // address of the next arena, or 0
  bool shared = false; // the only arena is the caller's
  std::vector<Range> arenas;
  std::map<uint64_t, uint64_t> free_by_address;         // begin -> size
  std::set<std::pair<uint64_t, uint64_t>> free_by_size; // (size, begin)
  std::deque<Range> quarantine;
  uint64_t quarantine_bytes = 0;
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_PAGE_ALLOCATOR_H
