//===-- emulator/cuda/driver/pool.h - Pools of memory -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pool counts what was allocated from it. Memory that is freed goes back to
// the system at once, whatever the release threshold is.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_CUDA_DRIVER_POOL_H
#define GPUEXEC_EMULATOR_CUDA_DRIVER_POOL_H

#include <array>
#include <atomic>
#include <cstdint>

namespace gpuexec::cuda {

/// Bytes that are allocated. Thread-safe.
class PoolUse {
public:
  void add(uint64_t bytes) {
    const uint64_t now = used.fetch_add(bytes) + bytes;
    uint64_t before = most;
    while (before < now && !most.compare_exchange_weak(before, now)) {
    }
  }
  void remove(uint64_t bytes) { used -= bytes; }
  uint64_t now() const { return used; }
  uint64_t high() const { return most; }
  void reset_high() { most = used.load(); }

private:
  std::atomic<uint64_t> used{0}, most{0};
};

struct Pool {
  /// CU_MEMPOOL_ATTR_* below RESERVED_MEM_CURRENT, as the program has set
  /// them; they have no effect.
  std::array<std::atomic<uint64_t>, 5> attributes{{{0}, {1}, {1}, {1}, {0}}};
  PoolUse use;
  uint64_t limit = 0; ///< bytes; 0: none
};

} // namespace gpuexec::cuda

#endif
