//===-- emulator/cuda/driver/graph_memory.h - Memory of graphs --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that a node of a graph allocates has its address from when the node is
// made, and is the program's between a launch of that node and a launch of a
// node that frees it, or a call that does. It is there as long as a graph has
// the node, or the program has the memory.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_GRAPH_MEMORY_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_GRAPH_MEMORY_H

#include "emulator/cuda/driver/memory.h"

namespace gpuexec::cuda {

class GraphMemory {
public:
  GraphMemory(Memory &memory, uint64_t begin) : memory(memory), begin(begin) {}
  GraphMemory(const GraphMemory &) = delete;
  ~GraphMemory() {
    if (!is_programs)
      memory.free(begin, MemoryUse::device);
  }
  uint64_t address() const { return begin; }
  /// Whether a launch has given it to the program, which has not freed it.
  bool programs() const { return is_programs; }
  void set_programs(bool value) { is_programs = value; }

private:
  Memory &memory;
  const uint64_t begin;
  std::atomic<bool> is_programs{false};
};

/// The memory of all graphs, by its addresses. Thread-safe.
class GraphMemories {
public:
  /// Counts the memory.
  const std::shared_ptr<Pool> pool = std::make_shared<Pool>();

  /// Errors as Memory::allocate().
  CUresult allocate(Memory &memory, size_t size, const void *context,
                    std::shared_ptr<GraphMemory> &made);
  /// True if the address begins memory of a graph, which is not the program's
  /// from now on.
  bool give_back(uint64_t address);

private:
  std::mutex mutex;
  std::map<uint64_t, std::weak_ptr<GraphMemory>> all;
};

} // namespace gpuexec::cuda

#endif
