//===-- rpc/server/device_memory.h - Memory of the device -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device's memory as the server needs it. The embedder implements it.
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
/// copies of one half run while the other half is used. Only one request uses a
/// CopyBuffer at a time. The destructor waits for copies that still run.
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
  /// Hint: no more transfers on this half before finish(); more transfers
  /// follow after it.
  virtual void go(unsigned half) {}
  /// Hint: no more transfers on this half before finish(), and none are known
  /// to follow.
  virtual void no_more(unsigned half) {}
  /// True when the buffer has end words: after no_more() the half's end word
  /// grows by one when all transfers on the half have ended without an error.
  virtual bool has_end_words() const { return false; }
  /// Waits for all transfers on the half.
  virtual llvm::Error finish(unsigned half) = 0;
};

/// How the server reaches memory of the device. Called from several server
/// threads at once, while a kernel runs: never wait for the kernel in here.
class DeviceMemory {
public:
  virtual ~DeviceMemory() = default;
  /// Allocates memory that the running program can use; a null address when
  /// there is none.
  /// `alignment` is a power of two.
  virtual DeviceAddress allocate(uint64_t size, uint64_t alignment) = 0;
  /// Frees memory that allocate() gave. The server frees what is left when it
  /// is destroyed.
  virtual void free(DeviceAddress address) = 0;
  /// Copies between host memory and [from, from + size) of the device. The
  /// range comes from the device and may be invalid: an error then, no crash.
  virtual llvm::Error read(void *to, DeviceAddress from, uint64_t size) = 0;
  virtual llvm::Error write(DeviceAddress to, const void *from,
                            uint64_t size) = 0;
  /// True when the range, of a byte or more, lies in one allocation that the
  /// device can read (and write), so that read() and write() would not refuse
  /// it; also true when that is unknown. The server asks before it takes input
  /// for the range from a file.
  virtual bool holds(DeviceAddress address, uint64_t size, bool writable) {
    return true;
  }
  /// A pointer by which the host can read (and write) the range without a copy,
  /// or null.
  /// Used for BULK_*; the memory must stay mapped while the program runs.
  virtual void *host_view(DeviceAddress address, uint64_t size, bool writable) {
    return nullptr;
  }
  /// The CUcontext to which the memory belongs, for libraries that work on the
  /// program's memory; null if NVIDIA's driver is not in this process.
  virtual void *cuda_context() { return nullptr; }
  /// The buffer for large copies; null when the device has none or another
  /// request uses it. Callers then use read() and write().
  virtual std::unique_ptr<CopyBuffer> copy_buffer() { return nullptr; }
  /// A copy buffer whose halves, of `half_size` bytes, and end words lie in
  /// `memory`: copy_memory_size() bytes that the device reaches at `address`
  /// and that outlive the buffer. Null when the device has none.
  virtual std::unique_ptr<CopyBuffer>
  copy_buffer_in(char *memory, DeviceAddress address, size_t half_size) {
    return nullptr;
  }
};

/// Turns an error of an access to device memory into EFAULT, and success into
/// 0.
inline int to_errno(llvm::Error error) {
  const bool failed = bool(error);
  llvm::consumeError(std::move(error));
  return failed ? EFAULT : 0;
}

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVER_DEVICE_MEMORY_H
