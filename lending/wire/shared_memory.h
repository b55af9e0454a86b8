//===-- lending/wire/shared_memory.h - What both sides see ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parts of a device's memory that this process has mapped, by the device's
// addresses.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_WIRE_SHARED_MEMORY_H
#define GPUEXEC_LENDING_WIRE_SHARED_MEMORY_H

#include "support/descriptor.h"
#include "support/device_address.h"
#include "llvm/ADT/StringRef.h"
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

/// Makes a file in memory of these bytes and a zero behind them, which nobody
/// can change any more. An empty descriptor, with errno, when that fails.
UniqueFd sealed_file(const char *name, llvm::StringRef bytes);

/// The bytes of such a file that another process has made: mapped, not copied.
class SealedBytes {
public:
  SealedBytes() = default;
  ~SealedBytes();
  SealedBytes(const SealedBytes &) = delete;

  /// Maps the file, which stays the caller's; once. Errors: Failure when it has
  /// not `size` bytes and a zero, or when it could still change.
  llvm::Error map(int file, uint64_t size);
  /// Without the zero.
  llvm::StringRef bytes() const { return {data, size}; }

private:
  const char *data = nullptr;
  size_t size = 0;
};

} // namespace gpuexec::wire

#endif
