//===-- lending/peer/host_memory.h - Memory for mailboxes -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory of a worker that its device reaches and that its clients map. To
// register memory with a driver takes milliseconds: what was registered once is
// kept for the next client.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_PEER_HOST_MEMORY_H
#define GPUEXEC_LENDING_PEER_HOST_MEMORY_H

#include "loader/device/device.h"
#include "loader/device/range_allocator.h"
#include "support/descriptor.h"
#include <vector>

namespace gpuexec::lending {

class HostMemory {
public:
  explicit HostMemory(Leasable &device) : device(device) {}
  /// The device must be gone, or have ended with the process.
  ~HostMemory();
  HostMemory(const HostMemory &) = delete;

  /// A part of the memory: a file that others map.
  struct Part {
    DeviceAddress begin;
    uint64_t size = 0;
    int file = -1;
    uint64_t offset = 0; ///< in the file
  };
  struct Piece {
    DeviceAddress address;
    std::optional<Part> part; ///< that the client has not been told of yet
  };
  /// `size` bytes of zeros, for the client. Fails, as Failure.
  llvm::Expected<Piece> allocate(uint64_t size);
  /// Where this process sees memory that allocate() gave, of all of the range;
  /// null for any other.
  std::byte *view(DeviceAddress address, uint64_t size) const;
  /// Registers a part that each client has as a whole, before it asks.
  llvm::Error prepare();
  /// That part.
  Part first() const {
    return {parts[0].begin, parts[0].size, parts[0].file.get()};
  }
  /// The client has gone: zeros what it had. False: clients have had more
  /// registered than is kept for the next one, and drivers only give it up with
  /// the process.
  bool clear();

private:
  struct Registered {
    UniqueFd file;
    std::byte *host;
    uint64_t size;
    DeviceAddress begin;
    RangeAllocator ranges;
    uint64_t touched = 0; ///< bytes from the beginning that a client had
    bool known = false;   ///< to the client
  };
  llvm::Error add(uint64_t size);
  Leasable &device;
  std::vector<Registered> parts; ///< allocate() has none of the first
};

} // namespace gpuexec::lending

#endif
