//===-- loader/device/cuda/heap.h - The program's heap ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Answers MALLOC and FREE while a kernel runs. Allocating from the driver could
// then wait for the kernel, which waits for the answer. Therefore memory is
// reserved, mapped and made accessible before the first launch, and the host
// divides it among requests. When all of it is taken, more is mapped behind it,
// which does not wait for kernels (mapped_memory.h). It is mapped in another
// thread: if a driver waits all the same, the program is told after a time
// limit that there is no memory. Copies use their own stream and pinned buffer.
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

  /// Allocates the stream and buffer for copies. Call it once, with the context
  /// current.
  llvm::Error initialise();
  /// Maps `size` bytes, rounded up; the heap may grow to `limit`, at least
  /// `size`. Call it once before the first kernel, and again only if it failed;
  /// `what` then names the step that failed.
  CUresult map(uint64_t size, uint64_t limit, const char *&what);

  /// Sets the most bytes that allocate() gives away in all.
  void set_limit(uint64_t bytes) { limit = bytes; }
  /// Takes back all pieces, and has the stream set them to zero. No kernel may
  /// run.
  CUresult clear(CUstream stream);
  /// Takes a piece of `size` bytes for the loader, between kernels, and has the
  /// stream set it to zero. A null address when there is none.
  DeviceAddress allocate_zeroed(uint64_t size, CUstream stream);
  /// Error when the range is not in one allocation of the device.
  llvm::Error check_range(DeviceAddress address, uint64_t size);
  /// Pinned memory for the loader's own small copies.
  llvm::MutableArrayRef<std::byte> small_buffer();
  /// A word of pinned memory, and its address on the device (0: none).
  std::atomic_ref<uint32_t> mark() const;
  CUdeviceptr mark_address() const;
  /// Frees a piece; false when allocate() did not give the address.
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

  /// Bytes per step of a copy.
  static constexpr uint64_t BOUNCE_SIZE = 256 * 1024;
  /// Bytes of each half of the buffer for large copies: the reader takes the
  /// first while the bus is still busy with the second.
  static constexpr uint64_t HALF_SIZE = 1024 * 1024;
  /// Where the memory of Copies, which follows the first BOUNCE_SIZE bytes of
  /// the pinned memory, ends.
  static constexpr uint64_t COPIES_END =
      BOUNCE_SIZE + rpc::copy_memory_size(HALF_SIZE);

private:
  class Copies;
  /// One allocation of the driver; `host`: the host's address of it, or null.
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
  CUdeviceptr bounce_address = 0; // of `bounce` on the device; 0: none
  std::atomic<bool> copies_taken = false;
  MappedMemory device_memory; // the heap, if the driver supports it
  CUdeviceptr allocation = 0; // the heap otherwise
  std::mutex copy_mutex, known_mutex;
  std::vector<Range> known; // all live as long as the program
  std::mutex range_mutex;   // guards the members below
  RangeAllocator ranges;
  uint64_t in_ranges = 0; // bytes of device_memory that `ranges` knows
  uint64_t used = 0;      // bytes of all pieces
  uint64_t touched = 0;   // the highest end of any piece so far
  std::atomic<uint64_t> limit = UINT64_MAX;
  Thread grower; // in map_more() while `growing`
  bool growing = false;
  std::condition_variable grown;
};

} // namespace gpuexec::cuda

#endif
