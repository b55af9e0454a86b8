//===-- lending/isolated/arena.h - Memory that two processes share --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reserved before the fork, so that both sides have it at the same address: an
// address of the device is one of the host in either of them. It has no
// descriptor, so that nobody can shrink it under the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_ISOLATED_ARENA_H
#define GPUEXEC_LENDING_ISOLATED_ARENA_H

#include "support/device_address.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gpuexec::isolated {

class Arena {
public:
  /// Address space only; pages are there once they are touched, zeroed. Fails,
  /// as Failure, when there is too little.
  static llvm::Expected<std::unique_ptr<Arena>> reserve();
  ~Arena();
  Arena(const Arena &) = delete;

  /// True when all of [address, address + size) lies inside.
  bool holds(DeviceAddress address, uint64_t size) const {
    return lies_in(address, size, begin, bytes);
  }
  llvm::MutableArrayRef<std::byte> memory() const {
    return {begin.shared<std::byte>(), bytes};
  }

private:
  Arena(DeviceAddress begin, uint64_t bytes) : begin(begin), bytes(bytes) {}
  const DeviceAddress begin;
  const uint64_t bytes;
};

} // namespace gpuexec::isolated

#endif
