//===-- lending/relay/memory.h - Host memory of a lent device ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory of the host that the device reaches. The server's relay has mapped it;
// the client's relay has made files of the same sizes, which its client takes
// for that memory.
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

  /// Maps a part of a file that the worker has sent. False when it cannot be.
  bool map(DeviceAddress begin, uint64_t size, UniqueFd file, uint64_t offset);
  /// Makes a file for a part and maps it; the file, -1 when there is none to be
  /// had.
  int make(DeviceAddress begin, uint64_t size);
  /// Where the range is here; null when not all of it is in one part.
  std::byte *view(DeviceAddress address, uint64_t size) const;
  /// Writes what was written on the other side; false: nonsense.
  bool take(llvm::StringRef body);
  /// Sends what was written since the last time, outside of [except, except +
  /// size) and of the memory for copies.
  void send_changes(Outbox &out, DeviceAddress except, uint64_t size);

  /// This range is for large copies; once. False when it is not in one part.
  bool set_copies(DeviceAddress begin, uint64_t size);
  /// Where the range is in that memory, or null.
  char *view_copies(DeviceAddress address, uint64_t size) const;
  /// Sends bytes of that memory, which stay until they are sent; false: it is
  /// nonsense.
  bool send_copied(Outbox &out, DeviceAddress address, uint64_t size) const;

private:
  struct Part {
    DeviceAddress begin;
    uint64_t size;
    UniqueFd file;
    uint64_t offset; ///< in the file
    std::byte *host;
    std::byte *shadow; ///< as the other side has it
  };
  bool add(DeviceAddress begin, uint64_t size, UniqueFd file, uint64_t offset);
  const Part *find(DeviceAddress address, uint64_t size) const;
  void send_changes(const Part &part, uint64_t begin, uint64_t end,
                    Outbox &out);
  std::list<Part> parts;
  uint64_t total = 0;
  DeviceAddress copies; ///< none: 0
  uint64_t copies_size = 0;
};

} // namespace gpuexec::relay

#endif
