//===-- emulator/machine/statistics.h - What is counted ---------*- C++ -*-===//
// Counters of one wave. The instruction set adds to them as it runs, the
// machine sums them per kernel and per region of interest. A wave counts only
// when Block::dispatch->count is set: the cost of counting is not paid
// otherwise.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_MACHINE_STATISTICS_H
#define GPUEXEC_EMULATOR_MACHINE_STATISTICS_H

#include <cstddef>
#include <cstdint>

namespace gpuexec::emulator {

enum class InstructionClass : uint8_t {
  scalar_alu,
  vector_alu,
  scalar_memory, // s_load
  global_memory, // global, and flat or buffer accesses that went to global
                 // memory
  lds,           // ds, and flat accesses that went to the block segment
  scratch, // scratch, and flat or buffer accesses that went to the private
           // segment
  atomic,  // read-modify-write on global memory
  branch,  // s_branch, s_cbranch, s_setpc, s_swappc, s_call
  barrier, // s_barrier
  other,   // s_waitcnt, s_nop, s_sleep, s_sendmsg ...
};
inline constexpr size_t INSTRUCTION_CLASSES =
    size_t(InstructionClass::other) + 1;
const char *name_of(InstructionClass kind);

struct Counters {
  uint64_t instructions[INSTRUCTION_CLASSES] = {};
  uint64_t vector_instructions =
      0; // those executed under the mask: vector ALU and vector memory
  uint64_t active_lanes = 0;   // sum over them of lanes that were on
  uint64_t possible_lanes = 0; // sum over them of the wave's lanes
  uint64_t bytes_read = 0;     // global memory, sum over lanes
  uint64_t bytes_written = 0;
  uint64_t accesses = 0; // vector instructions that reached global memory
  uint64_t cache_lines =
      0; // different 64-byte lines those touched, counted per instruction
  uint64_t ideal_lines = 0; // lines if each instruction's bytes lay back to
                            // back: ideal / cache_lines is coalescing
  uint64_t branches = 0;    // conditional branches on exec, vcc or scc
  uint64_t divergences =
      0; // instructions that took some, not all, active lanes out of the mask
  uint64_t barriers = 0; // s_barrier executed (also in `instructions`)

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
