//===-- lending/relay/memory.h - Host memory of a lent device ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host memory that the device can access, in parts. It is on the server's
// machine, where the server's relay maps it. For each part the client's relay
// makes a file of the same size, which the client maps instead.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LENDING_RELAY_MEMORY_H
#define GPUEXEC_LENDING_RELAY_MEMORY_H

#include "lending/relay/frame.h"
#include <list>

namespace gpuexec::relay {

class Memory {
public:
  Memory() = default;
  ~Memory();
  Memory(const Memory &) = delete;

  /// Maps a part of a file that the worker has sent. False when that fails.
  bool map(DeviceAddress begin, uint64_t size, UniqueFd file, uint64_t offset);
  /// Makes a file for a part and maps it. Returns the file, which stays this
  /// object's; -1: it cannot be made.
  int make(DeviceAddress begin, uint64_t size);
  /// Where this process has mapped the range; null when not all of it is in one
  /// part.
  std::byte *view(DeviceAddress address, uint64_t size) const;
  /// Writes the bytes of a ChangedMemory frame; false: the frame is invalid.
  bool take(llvm::StringRef body);
  /// Sends the pages that were changed on this machine since the last call, but
  /// nothing of [except, except + size) and of the memory for copies.
  void send_changes(Outbox &out, DeviceAddress except, uint64_t size);

  /// Makes this range the memory for large copies. False when there is one
  /// already, or the range is not in one part.
  bool set_copies(DeviceAddress begin, uint64_t size);
  /// As view(); null when not all of the range is in the memory for copies.
  char *view_copies(DeviceAddress address, uint64_t size) const;
  /// Sends a range of the memory for copies, without a copy of its own. False
  /// when the range is not in that memory.
  bool send_copied(Outbox &out, DeviceAddress address, uint64_t size) const;

private:
  struct Part {
    DeviceAddress begin;
    uint64_t size;
    UniqueFd file;
    uint64_t offset; ///< in the file
    std::byte *host;
    std::byte *shadow; ///< the content that the other relay has
  };
  bool add(DeviceAddress begin, uint64_t size, UniqueFd file, uint64_t offset);
  const Part *find(DeviceAddress address, uint64_t size) const;
  void send_changes(const Part &part, uint64_t begin, uint64_t end,
                    Outbox &out);
  std::list<Part> parts;
  uint64_t total = 0;
  DeviceAddress copies; ///< the memory for copies; 0: none
  uint64_t copies_size = 0;
};

} // namespace gpuexec::relay

#endif
