//===-- emulator/cuda/host/block.h - One block at a time -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// emulator/ptx/host/abi.h says what a kernel consists of. One thread uses a
// Block, for one block after the other.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_HOST_BLOCK_H
#define GPUEXEC_EMULATOR_CUDA_HOST_BLOCK_H

#include "emulator/cuda/host/library.h"

#include <array>

namespace gpuexec::cuda::host {

/// What all blocks of a launch have in common.
struct Grid {
  const Kernel *kernel = nullptr;
  const char *name = "";
  const uint8_t *arguments = nullptr;
  void *const *variables = nullptr;
  std::array<uint32_t, 3> blocks{1, 1, 1}, threads{1, 1, 1};
  uint32_t dynamic_shared = 0;
};

/// Memory that grows, aligned to a cache line.
class Scratch {
public:
  Scratch() = default;
  Scratch(const Scratch &) = delete;
  ~Scratch();
  /// At least `bytes` of memory with any content; null: there is no more.
  uint8_t *get(size_t bytes);

private:
  void *memory = nullptr;
  size_t size = 0;
};

/// Shared memory below 4 GiB: PTX may keep its addresses in 32 bits. It ends at
/// a page that nobody may access.
class SharedMemory {
public:
  SharedMemory() = default;
  SharedMemory(const SharedMemory &) = delete;
  ~SharedMemory();
  uint8_t *get(size_t bytes);

private:
  void *memory = nullptr;
  size_t size = 0;
};

class Block {
public:
  /// Gets ready for the blocks of a launch. False: there is no memory.
  bool prepare(const Grid &grid);
  /// Runs one from its beginning to its end.
  void run(uint32_t x, uint32_t y, uint32_t z);

private:
  /// The lanes of a warp, or all of the block.
  struct Group {
    uint32_t first = 0, lanes = 0;
    uint32_t at = 0;           ///< where all lanes go on
    bool is_scattered = false; ///< each lane has a place of its own, for good
    uint8_t *slots = nullptr, *frames = nullptr, *uniform = nullptr;
    uint8_t *own_uniform = nullptr; ///< a copy for each lane that is scattered
    uint32_t *next = nullptr;
  };

  void select(const Group &group);
  void advance(Group &group, bool is_released);
  void advance_together(Group &group, bool is_released);
  void advance_lanes(Group &group, bool is_released);
  void scatter(Group &group);
  uint32_t choose(const Group &group, uint32_t &lanes) const;
  bool waits_for_block(uint32_t at) const;
  void count();

  const Kernel *kernel = nullptr;
  bool counts = false; ///< the kernel has a meeting where threads are counted
  ptx::host::Context context{};
  std::vector<Group> groups;
  Scratch scratch;
  SharedMemory shared;
};

} // namespace gpuexec::cuda::host

#endif
