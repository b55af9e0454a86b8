//===-- loader/device/range_allocator.h - Carving a reserved range -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hands out aligned pieces of one range of addresses, first fit, and merges
// what comes back. Touches none of the memory: it may be a device's. Not
// thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_RANGE_ALLOCATOR_H
#define GPUEXEC_LOADER_DEVICE_RANGE_ALLOCATOR_H

#include <cstdint>
#include <map>

namespace gpuexec {

class RangeAllocator {
public:
  RangeAllocator() = default;
  RangeAllocator(uint64_t begin, uint64_t size);
  /// Start of `size` bytes (0 counts as 1) at a multiple of `alignment`, a
  /// power of two; 0 when no free piece is large enough.
  uint64_t allocate(uint64_t size, uint64_t alignment);
  /// The bytes that allocate() gave there; 0, and nothing done, when it did not
  /// give `address`.
  uint64_t free(uint64_t address);
  /// The range becomes `size` bytes longer at its end.
  void extend(uint64_t size);
  uint64_t bytes_free() const;

private:
  std::map<uint64_t, uint64_t> holes;  // begin -> size, never touching
  std::map<uint64_t, uint64_t> pieces; // begin -> size
  uint64_t end = 0;
};

} // namespace gpuexec

#endif
