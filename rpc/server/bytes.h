//===-- rpc/server/bytes.h - What a wave sends as streams -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One buffer of bytes per lane. The sizes come from the device, and allocation
// may fail: a MemoryBudget bounds what all requests hold together.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_BYTES_H
#define GPUEXEC_RPC_SERVER_BYTES_H

#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

namespace gpuexec::rpc {

/// Bytes that requests may hold together. Thread-safe.
class MemoryBudget {
public:
  explicit MemoryBudget(uint64_t limit) : left(int64_t(limit)) {}
  bool take(uint64_t size) {
    if (left.fetch_sub(int64_t(size), std::memory_order_relaxed) >=
        int64_t(size))
      return true;
    give_back(size);
    return false;
  }
  void give_back(uint64_t size) {
    left.fetch_add(int64_t(size), std::memory_order_relaxed);
  }

private:
  std::atomic<int64_t> left;
};

/// No single allocation for a device's request is larger.
inline constexpr uint64_t MAX_REQUEST_BYTES = uint64_t(1) << 30;

/// A growing buffer whose growth may fail.
class Buffer {
public:
  Buffer() = default;
  explicit Buffer(MemoryBudget &budget) : budget(&budget) {}
  Buffer(Buffer &&other) noexcept { *this = std::move(other); }
  Buffer &operator=(Buffer &&other) noexcept {
    std::swap(budget, other.budget);
    std::swap(memory, other.memory);
    std::swap(used, other.used);
    std::swap(room, other.room);
    return *this;
  }
  ~Buffer() { release(); }

  char *data() { return memory; }
  const char *data() const { return memory; }
  uint64_t size() const { return used; }
  uint64_t capacity() const { return room; }
  llvm::StringRef text() const { return {memory, size_t(used)}; }
  void clear() { used = 0; }
  void truncate(uint64_t size) { used = size; }
  void release() {
    std::free(memory);
    if (budget)
      budget->give_back(room);
    memory = nullptr;
    used = room = 0;
  }

  /// Makes room for `more` bytes behind the end; false when there is no memory.
  bool reserve(uint64_t more) {
    if (more <= room - used)
      return true;
    if (more > MAX_REQUEST_BYTES || used + more > MAX_REQUEST_BYTES)
      return false;
    uint64_t wanted = used + more;
    if (wanted < 2 * room)
      wanted = 2 * room;
    if (budget && !budget->take(wanted - room))
      return false;
    void *grown = std::realloc(memory, wanted);
    if (!grown) {
      if (budget)
        budget->give_back(wanted - room);
      return false;
    }
    memory = static_cast<char *>(grown);
    room = wanted;
    return true;
  }
  bool append(const void *from, uint64_t size) {
    if (!reserve(size))
      return false;
    if (size)
      std::memcpy(memory + used, from, size);
    used += size;
    return true;
  }
  /// After writing up to `reserve`d bytes at data() + size().
  void grow(uint64_t size) { used += size; }

private:
  MemoryBudget *budget = nullptr;
  char *memory = nullptr;
  uint64_t used = 0, room = 0;
};

/// The streams of a wave's lanes. Small streams share one allocation. The
/// buffer of a large stream grows as its bytes arrive, because the announced
/// size comes from the device and cannot be trusted.
class LaneBytes {
public:
  LaneBytes() = default;
  explicit LaneBytes(MemoryBudget &budget) : shared(budget), budget(&budget) {}

  llvm::StringRef operator[](unsigned lane) const {
    return {data[lane], size_t(stored[lane])};
  }
  /// False when memory was refused for some of this lane's bytes.
  bool complete(unsigned lane) const { return stored[lane] == sizes[lane]; }
  /// The size that the lane announced.
  uint64_t size(unsigned lane) const { return sizes[lane]; }

private:
  friend class ReceiveBytes;
  Buffer shared;
  std::unique_ptr<Buffer[]> own; // one per lane, for large streams
  MemoryBudget *budget = nullptr;
  const char *data[64] = {};
  uint64_t stored[64] = {};
  uint64_t sizes[64] = {};
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_BYTES_H
