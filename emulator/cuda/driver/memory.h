//===-- emulator/cuda/driver/memory.h - A program's memory ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every range that the program allocated or registered, by its address. Host
// and device use the same addresses, and both reach all ranges. Thread-safe.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_MEMORY_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_MEMORY_H

#include "emulator/cuda/driver/hsa.h"
#include "emulator/cuda/driver/pool.h"
#include "emulator/cuda/driver/types.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace gpuexec::cuda {

enum class MemoryUse { device, pinned, managed, registered, array };

struct MemoryRange {
  uint64_t begin = 0, size = 0; ///< as the program asked
  MemoryUse use = MemoryUse::device;
  unsigned flags = 0; ///< of the call that made it
  uint64_t id = 0;    ///< counts all allocations of the process
  const void *context = nullptr;
  std::shared_ptr<Pool> pool = nullptr; ///< that counts it, or null
};

class Memory {
public:
  explicit Memory(const Hsa &hsa) : hsa(hsa) {}

  /// OUT_OF_MEMORY, or INVALID_VALUE for a size of 0.
  CUresult allocate(size_t size, MemoryUse use, unsigned flags,
                    const void *context, void **memory,
                    std::shared_ptr<Pool> pool = nullptr);
  /// Frees what begins at the address and has that use; else INVALID_VALUE.
  CUresult free(uint64_t begin, MemoryUse use);
  CUresult add_registered(void *memory, size_t size, unsigned flags,
                          const void *context);
  CUresult remove_registered(void *memory);
  /// Frees all that a context has made.
  void free_all(const void *context);

  std::optional<MemoryRange> find(uint64_t address) const;
  /// True if [address, address + size) lies in one range that the device
  /// reaches: one of the program's, or a variable of a module.
  bool is_device_range(uint64_t address, size_t size) const;
  /// True if host memory at the address is known to the device.
  bool is_pinned(const void *address) const;
  /// The host has written to a range of the device.
  void wrote(void *memory, size_t size) const { hsa.wrote(memory, size); }
  /// Bytes that the program has allocated.
  uint64_t used() const;

private:
  const Hsa &hsa;
  mutable std::mutex mutex; // guards the members below
  std::map<uint64_t, MemoryRange> ranges;
  uint64_t last_id = 0, bytes = 0;
};

} // namespace gpuexec::cuda

#endif
