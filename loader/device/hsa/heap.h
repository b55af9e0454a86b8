//===-- loader/device/hsa/heap.h - The program's heap -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Serves MALLOC, FREE and bulk copies while a kernel runs. HSA's pools may be
// used at any time from any thread, so every request goes straight to them. The
// heap adds three things: it aligns allocations, it refuses addresses that the
// runtime does not know, and it refuses to write to read-only memory.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_LOADER_DEVICE_HSA_HEAP_H
#define GPUEXEC_LOADER_DEVICE_HSA_HEAP_H

#include "loader/device/hsa/runtime.h"
#include <map>
#include <mutex>
#include <unordered_map>

namespace gpuexec::hsa {

class Heap final : public rpc::DeviceMemory {
public:
  /// `host_reaches_all`: the host can read all device memory in place (the
  /// emulator).
  Heap(const Api &api, hsa_amd_memory_pool_t pool, bool host_reaches_all)
      : api(api), pool(pool), host_reaches_all(host_reaches_all) {}
  ~Heap() override;
  /// Sets the most bytes that allocate() gives in all.
  void set_limit(uint64_t bytes) { limit = bytes; }
  /// Makes these bytes read-only for the program, until unprotect() with the
  /// same address.
  void protect(DeviceAddress address, uint64_t size);
  void unprotect(DeviceAddress address);
  /// As Device::range_of().
  std::optional<MemoryRange> range_of(DeviceAddress address);

  DeviceAddress allocate(uint64_t size, uint64_t alignment) override;
  void free(DeviceAddress address) override;
  llvm::Error read(void *to, DeviceAddress from, uint64_t size) override;
  llvm::Error write(DeviceAddress to, const void *from, uint64_t size) override;
  bool holds(DeviceAddress address, uint64_t size, bool writable) override {
    return known(address, size, writable);
  }
  void *host_view(DeviceAddress address, uint64_t size, bool writable) override;

private:
  struct Block {
    void *base;
    uint64_t size;
  };
  /// Gets the facts of the runtime's allocation that holds the address. False:
  /// there is none.
  bool find_allocation(DeviceAddress address,
                       hsa_amd_pointer_info_t &info) const;
  bool known(DeviceAddress address, uint64_t size, bool writable,
             void **host = nullptr);
  const Api &api;
  const hsa_amd_memory_pool_t pool;
  const bool host_reaches_all;
  std::mutex mutex; // guards the members below, not the runtime's calls
  std::map<DeviceAddress, DeviceAddress> read_only; // begin -> end
  std::unordered_map<DeviceAddress, Block> blocks;
  uint64_t used = 0;
  uint64_t limit = UINT64_MAX;
};

} // namespace gpuexec::hsa

#endif
