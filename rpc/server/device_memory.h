//===-- rpc/server/device_memory.h - Memory of the device -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the server wants of a device: its memory. The embedder implements it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVER_DEVICE_MEMORY_H
#define GPUEXEC_RPC_SERVER_DEVICE_MEMORY_H

#include "support/device_address.h"
#include "llvm/Support/Error.h"
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace gpuexec::rpc {

/// The two end words of a CopyBuffer, 32 bits each, lie behind its two halves,
/// this many bytes apart: each has a cache line of its own.
inline constexpr size_t COPY_END_WORD = 64;
/// Bytes of a CopyBuffer's memory, end words included.
inline constexpr size_t copy_memory_size(size_t half_size) {
  return 2 * half_size + 2 * COPY_END_WORD;
}

/// Host memory that the device's copy engine can reach, in two halves: the
/// copies of one half run while the other half is used. Its owner has it alone.
/// The destructor waits for copies that still run.
class CopyBuffer {
public:
  virtual ~CopyBuffer() = default;
  /// Bytes of a half.
  virtual size_t size() const = 0;
  virtual char *data(unsigned half) = 0;
  /// Begins to copy [from, from + size) of the device to data(half) + offset.
  /// The range comes from the device and may be nonsense.
  virtual llvm::Error start_read(unsigned half, size_t offset,
                                 DeviceAddress from, uint64_t size) = 0;
  /// The reverse: data(half) to [to, to + size) of the device.
  virtual llvm::Error start_write(unsigned half, DeviceAddress to,
                                  uint64_t size) = 0;
  /// Hint: nothing more is begun with this half before finish(), but later.
  virtual void go(unsigned half) {}
  /// Hint: no more transfers on this half before finish().
  virtual void no_more(unsigned half) {}
  /// After no_more() the half's end word grows by one when all that was begun
  /// with the half has ended without an error.
  virtual bool has_end_words() const { return false; }
  /// Waits for all that was begun with the half.
  virtual llvm::Error finish(unsigned half) = 0;
};

/// How the server reaches memory of the device. Called from several server
/// threads at once, while a kernel runs: never wait for the kernel in here.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  /// Memory that the running program can use; no address when there is none.
  /// `alignment` is a power of two.
  virtual DeviceAddress allocate(uint64_t size, uint64_t alignment) = 0;
  /// `address` is one that allocate() gave. The server frees all that is left
  /// when it is destroyed.
  virtual void free(DeviceAddress address) = 0;
  /// Copies between host memory and [from, from + size) of the device. The
  /// range comes from the device and may be nonsense: an error then, no crash.
  virtual llvm::Error read(void *to, DeviceAddress from, uint64_t size) = 0;
  virtual llvm::Error write(DeviceAddress to, const void *from,
                            uint64_t size) = 0;
  /// True when the range, of a byte or more, lies in one allocation that the
  /// device can read (and write): what read() and write() would not refuse.
  /// Asked before input is taken from a file for it. True when that is unknown.
  virtual bool holds(DeviceAddress address, uint64_t size, bool writable) {
    return true;
  }
  /// Where the host can read (and write) the range without copying, or null.
  /// Used for BULK_*; the memory must stay mapped while the program runs.
  virtual void *host_view(DeviceAddress address, uint64_t size, bool writable) {
    return nullptr;
  }
  /// The CUcontext of NVIDIA's driver that has the memory, where that is in this
  /// process; else null. For libraries that work on the program's memory.
  virtual void *cuda_context() { return nullptr; }
  /// For large copies; null when there is none or it is in use. Callers then
  /// use read() and write().
  virtual std::unique_ptr<CopyBuffer> copy_buffer() { return nullptr; }
  /// The same with its halves, of `half_size` bytes, and its end words in
  /// `memory`, copy_memory_size() bytes which the device reaches at `address`
  /// and which live longer. Null when there is none.
  virtual std::unique_ptr<CopyBuffer>
  copy_buffer_in(char *memory, DeviceAddress address, size_t half_size) {
    return nullptr;
  }
};

/// EFAULT when an access to memory of the device has failed, else 0.
inline int to_errno(llvm::Error error) {
  const bool failed = bool(error);
  llvm::consumeError(std::move(error));
  return failed ? EFAULT : 0;
}

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_DEVICE_MEMORY_H
