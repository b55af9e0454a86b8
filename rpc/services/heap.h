//===-- rpc/services/heap.h - Device memory of the program ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MALLOC, ALLOCATE and FREE. The requests of one wave become one allocation if
// possible. The destructor frees what the program has not freed: LLVM's device
// heap keeps tens of slabs (spec section 3.5).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_RPC_SERVICES_HEAP_H
#define GPUEXEC_RPC_SERVICES_HEAP_H

#include "rpc/server/device_memory.h"
#include <atomic>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace gpuexec::rpc {

class DeviceHeap {
public:
  explicit DeviceHeap(DeviceMemory &memory) : memory(memory) {}
  ~DeviceHeap();

  /// Sets addresses[lane] for each lane of `mask`; a null address if there is
  /// no memory. `alignments` are powers of two.
  void allocate(uint64_t mask, const uint64_t (&sizes)[64],
                const uint64_t (&alignments)[64],
                DeviceAddress (&addresses)[64]);
  /// Frees what allocate() gave. False when nothing is allocated at `address`.
  bool free(DeviceAddress address);

  /// From now on the program gets no memory beyond `bytes` of all together:
  /// RLIMIT_DATA. What it has stays its own.
  void set_limit(uint64_t bytes) { limit = bytes; }

  /// While one exists, freed memory stays mapped: for copies from or to
  /// addresses of the program.
  class Hold {
  public:
    explicit Hold(DeviceHeap &heap) : heap(heap) { heap.change_holds(1); }
    ~Hold() { heap.change_holds(-1); }
    Hold(const Hold &) = delete;

  private:
    DeviceHeap &heap;
  };

private:
  void change_holds(int by);
  /// As DeviceMemory::allocate(), within the limit.
  DeviceAddress allocate_block(uint64_t size, uint64_t alignment);
  struct Block {
    DeviceAddress address;
    uint64_t pieces; // number of those that are not freed
    uint64_t size;
  };
  DeviceMemory &memory;
  std::mutex mutex;
  std::unordered_map<DeviceAddress, std::shared_ptr<Block>> pieces;
  std::vector<DeviceAddress> delayed; // freed when the last Hold ends
  int holds = 0;
  std::atomic<uint64_t> used = 0, limit = UINT64_MAX; // bytes of blocks
};

} // namespace gpuexec::rpc

#endif // GPUEXEC_RPC_SERVICES_HEAP_H
