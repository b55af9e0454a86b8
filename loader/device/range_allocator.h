//===-- loader/device/range_allocator.h - Pieces of a range -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Allocates aligned pieces of one range of addresses, first fit, and merges
// freed ones. Never accesses the memory, which may be a device's. Not
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
  /// Allocates `size` bytes (0 counts as 1) at a multiple of `alignment`, a
  /// power of two. Returns the address; 0 when no free piece is large enough.
  uint64_t allocate(uint64_t size, uint64_t alignment);
  /// Frees a piece and returns its size; 0 if allocate() did not give
  /// `address`.
  uint64_t free(uint64_t address);
  /// Makes the range `size` bytes longer at its end.
  void extend(uint64_t size);
  uint64_t bytes_free() const;

private:
  std::map<uint64_t, uint64_t> holes;  // free: begin -> size; never adjacent
  std::map<uint64_t, uint64_t> pieces; // allocated: begin -> size
  uint64_t end = 0;
};

} // namespace gpuexec

#endif
