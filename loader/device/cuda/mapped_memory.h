//===-- loader/device/cuda/mapped_memory.h - Memory that grows --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One range of the device's addresses. Its first part is mapped to memory, and
// more can be mapped behind that at any time. On an H200 (driver 580) creating,
// mapping and giving access took at most 0.2 s while kernels ran that filled
// the device with waiting threads, and while copies ran; cuMemAlloc() may wait
// for kernels instead.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_CUDA_MAPPED_MEMORY_H
#define GPUEXEC_LOADER_DEVICE_CUDA_MAPPED_MEMORY_H

#include "loader/device/cuda/driver.h"
#include <atomic>
#include <vector>

namespace gpuexec::cuda {

/// One thread changes it; any thread may call begin(), size(), room() and
/// unit().
class MappedMemory {
public:
  MappedMemory(const Api &api, CUdevice device) : api(api), device(device) {}
  /// Unmaps everything; the kernels must have ended.
  ~MappedMemory();
  MappedMemory(const MappedMemory &) = delete;
  MappedMemory &operator=(const MappedMemory &) = delete;

  /// Whether this driver and this device support it.
  bool is_supported() const;
  /// Reserves addresses, without memory, for `limit` bytes, rounded up, at a
  /// multiple of `alignment` (a power of two). Call it once, and again only if
  /// it failed. After an error `what` names the step that failed, here and
  /// below.
  CUresult reserve(uint64_t limit, uint64_t alignment, const char *&what);
  /// Maps `bytes` more, rounded up; changes nothing when it fails.
  CUresult extend(uint64_t bytes, const char *&what);

  uint64_t begin() const { return address; }
  uint64_t size() const { return mapped.load(std::memory_order_acquire); }
  /// The most bytes that extend() can add.
  uint64_t room() const { return reserved - size(); }
  /// The unit that sizes are rounded up to. After reserve().
  uint64_t unit() const { return granularity; }

private:
  struct Piece {
    uint64_t begin, size;
    CUmemGenericAllocationHandle memory;
  };
  const Api &api;
  const CUdevice device;
  CUdeviceptr address = 0;
  uint64_t reserved = 0, granularity = 0;
  std::atomic<uint64_t> mapped = 0;
  std::vector<Piece> pieces;
};

} // namespace gpuexec::cuda

#endif
