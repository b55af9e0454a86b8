//===-- lending/wire/shared_memory.h - What both sides see ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a device's memory that this process has mapped, by the device's
// addresses.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_SHARED_MEMORY_H
#define GPUEXEC_LENDING_WIRE_SHARED_MEMORY_H

#include "support/descriptor.h"
#include "support/device_address.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <mutex>
#include <vector>

namespace gpuexec::wire {

/// Thread-safe. What was added stays until the object is destroyed.
class SharedMemory {
public:
  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(const SharedMemory &) = delete;

  /// Adds memory that this process has already: the device's [begin, begin +
  /// size) is at `host`, which stays the caller's.
  void add(DeviceAddress begin, std::byte *host, uint64_t size);
  /// Maps the first `size` bytes of a file in memory, which another process has
  /// made, as the device's [begin, begin + size). Errors: Failure, also when
  /// the file could be shrunk (it has no F_SEAL_SHRINK).
  llvm::Error map(DeviceAddress begin, uint64_t size, const UniqueFd &file);
  /// Where this process sees the range; null when not all of it is in one of
  /// the parts.
  std::byte *view(DeviceAddress address, uint64_t size) const;

private:
  struct Part {
    DeviceAddress begin;
    std::byte *host;
    uint64_t size;
    bool ours; ///< mapped by map()
  };
  mutable std::mutex mutex; // guards what follows
  std::vector<Part> parts;
};

/// Makes a file in memory of `size` zeros, which can be neither shrunk nor
/// grown. An empty descriptor, with errno, when that fails.
UniqueFd sealed_memory(const char *name, uint64_t size);

} // namespace gpuexec::wire

#endif
