//===-- loader/device/range_allocator.cpp - Pieces of a range -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loader/device/range_allocator.h"
#include <algorithm>

namespace gpuexec {

RangeAllocator::RangeAllocator(uint64_t begin, uint64_t size) : end(begin) {
  extend(size);
}

void RangeAllocator::extend(uint64_t size) {
  if (size == 0)
    return;
  pieces.emplace(end, size); // free() joins it to a hole before it
  end += size;
  free(end - size);
}

uint64_t RangeAllocator::allocate(uint64_t size, uint64_t alignment) {
  size = std::max<uint64_t>(size, 1);
  for (auto hole = holes.begin(); hole != holes.end(); ++hole) {
    auto [begin, room] = *hole;
    uint64_t padding = -begin & (alignment - 1);
    if (padding > room || size > room - padding)
      continue;
    uint64_t address = begin + padding;
    uint64_t rest = room - padding - size;
    if (padding)
      hole->second = padding;
    else
      holes.erase(hole);
    if (rest)
      holes.emplace(address + size, rest);
    pieces.emplace(address, size);
    return address;
  }
  return 0;
}

uint64_t RangeAllocator::free(uint64_t address) {
  auto piece = pieces.find(address);
  if (piece == pieces.end())
    return 0;
  const uint64_t size = piece->second;
  uint64_t begin = address, end = address + piece->second;
  pieces.erase(piece);
  auto after = holes.lower_bound(begin);
  if (after != holes.end() && after->first == end) {
    end += after->second;
    after = holes.erase(after);
  }
  if (after != holes.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == begin) {
      before->second += end - begin;
      return size;
    }
  }
  holes.emplace(begin, end - begin);
  return size;
}

uint64_t RangeAllocator::bytes_free() const {
  uint64_t sum = 0;
  for (auto [begin, size] : holes)
    sum += size;
  return sum;
}

} // namespace gpuexec
