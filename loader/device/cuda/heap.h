//===-- loader/device/cuda/heap.h - The program's heap ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers MALLOC and FREE while a kernel runs. Allocating from the driver then
// may wait for the kernel, which waits for us (llvm-gpu-abi.md 3.5), so memory
// is reserved, mapped and made accessible before the first launch; requests
// only carve it up on the host. When all of it is taken more is mapped behind
// it, which does not wait for kernels (mapped_memory.h); should a driver hold
// it back all the same, a thread of its own waits, and the program hears that
// there is no memory. Copies go through a stream and a pinned buffer of their
// own.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_HEAP_H
#define GPUEXEC_LOADER_DEVICE_CUDA_HEAP_H

#include "loader/device/cuda/driver.h"
#include "loader/device/cuda/mapped_memory.h"
#include "loader/device/range_allocator.h"
#include "support/thread.h"
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gpuexec::cuda {

class Heap final : public rpc::DeviceMemory {
public:
  Heap(const Api &api, CUcontext context, CUdevice device)
      : api(api), context(context), device_memory(api, device) {}
  /// Unmaps everything; the kernels must have ended.
  ~Heap() override;

  /// What copies need. Once, with the context current.
  llvm::Error initialise();
  /// Maps `size` bytes, rounded up, which may grow to `limit`, the same or
  /// more. Once, before the first kernel; again when it failed, at `what`.
  CUresult map(uint64_t size, uint64_t limit, const char *&what);

  /// allocate() gives away at most `bytes` in all; more is "out of memory".
  void set_limit(uint64_t bytes) { limit = bytes; }
  /// Takes back all that was given away, and has the stream set it to zero. No
  /// kernel runs.
  CUresult clear(CUstream stream);
  /// A piece of `size` bytes for the loader, between kernels, which the stream
  /// sets to zero; no address when there is none.
  DeviceAddress allocate_zeroed(uint64_t size, CUstream stream);
  /// Error when the range is not in one allocation of the device.
  llvm::Error check_range(DeviceAddress address, uint64_t size);
  /// Pinned memory for the loader's own small copies.
  llvm::MutableArrayRef<std::byte> small_buffer();
  /// A word of pinned memory, and its address on the device, 0: it has none.
  std::atomic_ref<uint32_t> mark() const;
  CUdeviceptr mark_address() const;
  /// False when allocate() did not give the address.
  bool take_back(DeviceAddress address);
  /// As Device::range_of().
  std::optional<MemoryRange> range_of(DeviceAddress address);

  DeviceAddress allocate(uint64_t size, uint64_t alignment) override;
  void free(DeviceAddress address) override;
  llvm::Error read(void *to, DeviceAddress from, uint64_t size) override;
  llvm::Error write(DeviceAddress to, const void *from, uint64_t size) override;
  bool holds(DeviceAddress address, uint64_t size, bool writable) override;
  void *host_view(DeviceAddress address, uint64_t size, bool writable) override;
  void *cuda_context() override { return context; }
  std::unique_ptr<rpc::CopyBuffer> copy_buffer() override;
  std::unique_ptr<rpc::CopyBuffer> copy_buffer_in(char *memory,
                                                  DeviceAddress address,
                                                  size_t half_size) override;

private:
  class Copies;
  /// One allocation of the driver's; `host`: where the host sees it, or null.
  struct Range {
    DeviceAddress begin;
    uint64_t size;
    void *host;
  };
  std::optional<Range> find_range(DeviceAddress address, uint64_t size);
  bool grow(uint64_t size);
  void map_more(uint64_t needed);
  const Api &api;
  const CUcontext context;
  CUstream stream = nullptr, half_streams[2] = {};
  // Pinned; the memory of Copies lies behind it, then small_buffer().
  std::byte *bounce = nullptr;
  CUdeviceptr bounce_address = 0; // the device's for it, 0: none
  std::atomic<bool> copies_taken = false;
  MappedMemory device_memory; // or, where there is none:
  CUdeviceptr allocation = 0;
  std::mutex copy_mutex, known_mutex;
  std::vector<Range> known; // all live as long as the program
  std::mutex range_mutex;   // of what is below
  RangeAllocator ranges;
  uint64_t in_ranges = 0; // bytes of device_memory that `ranges` knows
  uint64_t used = 0;      // bytes that are given away
  uint64_t touched = 0;   // the end of the last piece that ever was
  std::atomic<uint64_t> limit = UINT64_MAX;
  Thread grower; // in map_more() while `growing`
  bool growing = false;
  std::condition_variable grown;
};

} // namespace gpuexec::cuda

#endif
