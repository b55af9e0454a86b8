//===-- lending/peer/session_memory.h - What a client may use ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whatever a client has a worker allocate counts here, on the device and on the
// host, until it is freed. What cannot be counted before it is there is bounded
// elsewhere: an emulated device has no more memory than its arena.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_PEER_SESSION_MEMORY_H
#define GPUEXEC_LENDING_PEER_SESSION_MEMORY_H

#include "support/device_address.h"
#include <cstdint>
#include <map>

namespace gpuexec::lending {

class SessionMemory {
public:
  /// No allocation counts less: each has an entry in some list as well.
  static constexpr uint64_t LEAST = 4096;

  /// `limit`: bytes; UINT64_MAX: none, and nothing is counted.
  explicit SessionMemory(uint64_t limit = UINT64_MAX) : limit(limit) {}

  /// Counts what is about to be allocated, and stays. False: too much.
  bool take(uint64_t size) {
    size = size < LEAST ? LEAST : size;
    if (!is_limited())
      return true;
    if (size > limit - used)
      return false;
    used += size;
    return true;
  }
  /// Counts the allocation at that address, after fits() was asked.
  void enter(DeviceAddress address, uint64_t size) {
    if (is_limited() && address && take(size))
      sizes[address] += size < LEAST ? LEAST : size;
  }
  bool fits(uint64_t size) const {
    return !is_limited() || (size < LEAST ? LEAST : size) <= limit - used;
  }
  /// Of an address that was entered; else nothing changes.
  void leave(DeviceAddress address) {
    if (auto found = sizes.find(address); found != sizes.end()) {
      used -= found->second;
      sizes.erase(found);
    }
  }
  uint64_t bytes() const { return limit; }

private:
  bool is_limited() const { return limit != UINT64_MAX; }
  const uint64_t limit;
  uint64_t used = 0;
  std::map<DeviceAddress, uint64_t> sizes;
};

} // namespace gpuexec::lending

#endif
