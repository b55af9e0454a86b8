//===-- emulator/machine/allocations.h - Memory for clients -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that a client of the API allocates, locks (makes its own memory
// visible to the device), copies and fills. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_ALLOCATIONS_H
#define GPUEXEC_EMULATOR_MACHINE_ALLOCATIONS_H

#include "emulator/machine/memory.h"
#include "emulator/machine/options.h"
#include "emulator/machine/page_allocator.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace gpuexec::emulator {

/// The allocation, lock or code segment in which a client's pointer lies.
struct Allocation {
  uint64_t begin = 0, size = 0;
  /// locked_host: locked, not allocated; code: a segment of an image.
  MemoryKind kind = MemoryKind::device;
  const void *owner = nullptr; ///< as given to allocate()
  void *user_data = nullptr;   ///< see set_user_data()
  uint64_t mapped = 0;         ///< bytes taken from the page allocator
  uint8_t *shadow = nullptr;   ///< see Region::shadow; owned
};

class Allocations {
public:
  Allocations(PageAllocator &pages, AddressSpace &memory,
              const Options &options)
      : pages(pages), memory(memory), options(options) {}
  ~Allocations();

  /// `size` zero bytes; null when the host has no memory, or more than `limit`
  /// bytes would be allocated by all owners together.
  void *allocate(uint64_t size, MemoryKind kind, uint64_t limit,
                 const void *owner);
  /// False when allocate() did not return the pointer. The memory is released
  /// once no wave can be reading it.
  bool free(void *pointer);
  /// Makes the client's own memory visible. Locks may overlap each other and
  /// allocations. False for an impossible range.
  bool lock(void *pointer, uint64_t size);
  /// Undoes one lock() of that pointer; false when there is none.
  bool unlock(void *pointer);

  std::optional<Allocation> find(const void *pointer) const;
  bool set_user_data(const void *pointer, void *data);

  /// Copy and fill (whole words); false unless each range that touches
  /// device-visible memory lies in one allocation.
  bool copy(void *to, const void *from, uint64_t size);
  bool fill(void *to, uint32_t value, uint64_t words);
  bool range_ok(const void *pointer, uint64_t size) const;
  /// Marks the range as defined (--check=uninit), for a client that writes to
  /// device memory without copy() or fill().
  void written(void *to, uint64_t size);

private:
  struct Lock {
    uint64_t begin, size;
    std::vector<uint64_t> pieces; // regions that were added for it
  };
  /// The parts of [begin, end) that no live region covers.
  std::vector<std::pair<uint64_t, uint64_t>> uncovered(uint64_t begin,
                                                       uint64_t end) const;
  /// Adds the uncovered parts of a lock.
  void cover(Lock &lock);

  PageAllocator &pages;
  AddressSpace &memory;
  const Options &options;
  mutable std::mutex mutex;
  std::map<uint64_t, Allocation> allocations; // by begin
  std::multimap<uint64_t, Lock> locks;        // by begin
  uint64_t total = 0;                         // mapped bytes of allocations
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_ALLOCATIONS_H
