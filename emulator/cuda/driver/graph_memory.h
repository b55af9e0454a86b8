//===-- emulator/cuda/driver/graph_memory.h - Memory of graphs --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that a node of a graph allocates has its address from when the node is
// made, and is in use between a launch of that node and a launch of a node that
// frees it, or a call that does. It is there as long as a graph has the node,
// or it is in use.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_GRAPH_MEMORY_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_GRAPH_MEMORY_H

#include "emulator/cuda/driver/memory.h"

namespace gpuexec::cuda {

class GraphMemory {
public:
  GraphMemory(Memory &memory, const MemoryRange &range)
      : memory(memory), begin(range.begin), id(range.id) {}
  GraphMemory(const GraphMemory &) = delete;
  ~GraphMemory();
  uint64_t address() const { return begin; }
  /// True once a launch has allocated it, until it is freed.
  bool in_use() const { return is_in_use; }
  void set_in_use(bool value) { is_in_use = value; }

private:
  Memory &memory;
  const uint64_t begin, id; ///< MemoryRange::begin and id
  std::atomic<bool> is_in_use{false};
};

/// The memory of all graphs, by its addresses. Thread-safe.
class GraphMemories {
public:
  /// Counts the memory.
  const std::shared_ptr<Pool> pool = std::make_shared<Pool>();

  /// Errors as Memory::allocate().
  CUresult allocate(Memory &memory, size_t size, const void *context,
                    std::shared_ptr<GraphMemory> &made);
  /// True if the address begins memory of a graph, which is not in use from
  /// now on.
  bool give_back(uint64_t address);

private:
  std::mutex mutex;
  std::map<uint64_t, std::weak_ptr<GraphMemory>> all;
};

} // namespace gpuexec::cuda

#endif
