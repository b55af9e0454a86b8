//===-- rpc/services/heap.cpp - Device memory that a program holds --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rpc/services/heap.h"
#include "llvm/ADT/bit.h"
#include <set>

using namespace gpuexec::rpc;
using gpuexec::DeviceAddress;

DeviceHeap::~DeviceHeap() {
  std::set<DeviceAddress> blocks;
  for (auto &[address, block] : pieces)
    blocks.insert(block->address);
  for (DeviceAddress address : blocks)
    memory.free(address);
  for (DeviceAddress address : delayed)
    memory.free(address);
}

void DeviceHeap::change_holds(int by) {
  std::vector<DeviceAddress> now;
  {
    std::lock_guard lock(mutex);
    holds += by;
    if (holds == 0)
      now.swap(delayed);
  }
  for (DeviceAddress address : now)
    memory.free(address);
}

// Rounds `value` up to a multiple of `alignment`. False if that overflows.
static bool round_up(uint64_t &value, uint64_t alignment) {
  if (__builtin_add_overflow(value, alignment - 1, &value))
    return false;
  value &= ~(alignment - 1);
  return true;
}

DeviceAddress DeviceHeap::allocate_block(uint64_t size, uint64_t alignment) {
  const uint64_t before = used.fetch_add(size);
  DeviceAddress address;
  if (size <= limit && before <= limit - size)
    address = memory.allocate(size, alignment);
  if (!address)
    used -= size;
  return address;
}

void DeviceHeap::allocate(uint64_t mask, const uint64_t (&sizes)[64],
                          const uint64_t (&alignments)[64],
                          DeviceAddress (&addresses)[64]) {
  auto for_each_lane = [&](auto f) {
    for (uint64_t left = mask; left; left &= left - 1)
      f(unsigned(llvm::countr_zero(left)));
  };
  // One block for all lanes: the pieces follow each other, each aligned.
  uint64_t total = 0, alignment = 1, count = 0;
  uint64_t offsets[64];
  bool fits = true;
  for_each_lane([&](unsigned lane) {
    addresses[lane] = {};
    ++count;
    alignment = std::max(alignment, alignments[lane]);
    fits = fits && round_up(total, alignments[lane]);
    offsets[lane] = total;
    // malloc(0) gets an address of its own, too.
    fits = fits && !__builtin_add_overflow(
                       total, std::max<uint64_t>(sizes[lane], 1), &total);
  });
  DeviceAddress base;
  if (fits)
    base = allocate_block(total, alignment);
  if (base) {
    auto block = std::make_shared<Block>(Block{base, count, total});
    std::lock_guard lock(mutex);
    for_each_lane([&](unsigned lane) {
      addresses[lane] = base + offsets[lane];
      pieces[addresses[lane]] = block;
    });
    return;
  }
  if (count == 1)
    return;
  // Too large for one block: each lane gets its own while there is memory.
  for_each_lane([&](unsigned lane) {
    const uint64_t size = std::max<uint64_t>(sizes[lane], 1);
    DeviceAddress address = allocate_block(size, alignments[lane]);
    if (!address)
      return;
    addresses[lane] = address;
    std::lock_guard lock(mutex);
    pieces[address] = std::make_shared<Block>(Block{address, 1, size});
  });
}

bool DeviceHeap::free(DeviceAddress address) {
  DeviceAddress unused;
  {
    std::lock_guard lock(mutex);
    auto found = pieces.find(address);
    if (found == pieces.end())
      return false;
    if (--found->second->pieces == 0) {
      unused = found->second->address;
      used -= found->second->size;
    }
    pieces.erase(found);
    if (unused && holds) {
      delayed.push_back(unused);
      unused = {};
    }
  }
  if (unused)
    memory.free(unused);
  return true;
}
