//===-- emulator/machine/statistics.h - What is counted ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of one wave. The instruction set adds to them; the machine sums them
// per kernel and per region of interest. A wave counts only when
// Dispatch::count is set: other runs do not pay for it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_STATISTICS_H
#define GPUEXEC_EMULATOR_MACHINE_STATISTICS_H

#include <cstddef>
#include <cstdint>

namespace gpuexec::emulator {

enum class InstructionClass : uint8_t {
  wave_arithmetic, ///< one result for the wave
  lane_arithmetic, ///< a result for each lane
  wave_memory,     ///< one load for the wave
  global_memory,   ///< a load or store of each lane, but for the next two
  shared_memory,   ///< of the block
  stack_memory,    ///< of the thread
  atomic,          ///< read-modify-write on global memory
  branch,          ///< jumps and calls, conditional or not
  barrier,
  other, ///< waiting, priorities, messages ...
};
inline constexpr size_t INSTRUCTION_CLASSES =
    size_t(InstructionClass::other) + 1;

struct Counters {
  uint64_t instructions[INSTRUCTION_CLASSES] = {};
  /// Vector instructions (ALU and memory): how many, the sum of their lanes
  /// that were on, and the sum of all their lanes.
  uint64_t vector_instructions = 0;
  uint64_t active_lanes = 0;
  uint64_t possible_lanes = 0;
  uint64_t lane_instructions = 0; ///< all instructions, times lanes on
  uint64_t bytes_read = 0;        ///< global memory, sum over lanes
  uint64_t bytes_written = 0;
  uint64_t accesses = 0; ///< vector instructions that reached global memory
  /// 64-byte lines that each access touched, and the lines it would touch if
  /// its bytes lay back to back. ideal_lines / cache_lines is the coalescing.
  uint64_t cache_lines = 0;
  uint64_t ideal_lines = 0;
  uint64_t branches = 0; ///< conditional branches
  /// Instructions that turned off some of the active lanes, not all.
  uint64_t divergences = 0;
  uint64_t barriers = 0; ///< also in `instructions`

  uint64_t total() const {
    uint64_t sum = 0;
    for (uint64_t count : instructions)
      sum += count;
    return sum;
  }
  Counters &operator+=(const Counters &other);
  Counters &operator-=(const Counters &other);
};

} // namespace gpuexec::emulator

#endif // GPUEXEC_EMULATOR_MACHINE_STATISTICS_H
