//===-- emulator/amdgpu/baseline/compiler.h - Machine code at once --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The baseline compiler copies stencils (stencil.h) one behind the other: about
// a microsecond for a micro-op, where LLVM takes forty. Its code keeps
// nothing in the processor's registers from one micro-op to the next, but needs
// no handler's address, no operand's offset and none of the Inst: large code is
// a fraction of its former size in the caches. Waves whose only lane is lane 0
// have code of their own, with the lane on or off; waves of many lanes have
// code for all lanes and for any. It does what the interpreter does, block by
// block: a branch goes through the handlers of its target, so better code takes
// over as soon as it is there.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_BASELINE_COMPILER_H
#define GPUEXEC_EMULATOR_AMDGPU_BASELINE_COMPILER_H

#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/jit/jit.h"

#include <map>
#include <set>

namespace gpuexec::emulator::amdgpu::baseline {

/// The waves that code is for: those that began with lane 0 alone, whose
/// private segment is in one piece, or all others.
enum class Waves : u8 { of_one_lane, of_many_lanes, COUNT };

/// Not thread-safe. Its code lives as long as the compiler, and refers to
/// blocks of the Codes that it was given.
class Compiler {
public:
  Compiler();
  ~Compiler(); // no wave may run in its code any more
  Compiler(const Compiler &) = delete;
  Compiler &operator=(const Compiler &) = delete;

  /// False where there is no baseline code: on a processor below x86-64-v3, and
  /// when memory for code cannot be had.
  bool usable() const { return begin != nullptr; }

  /// True if that block was given to compile() for waves of one lane, or is
  /// behind one that was.
  bool has(const Inst *head) const {
    return blocks[unsigned(Waves::of_one_lane)].count(head);
  }

  /// How often control came by at `inst` in code for one lane: where a block
  /// begins, and behind a conditional branch in it. Waves may be counting.
  u64 passes(const Inst *inst) const {
    auto it = counters.find(inst);
    return it == counters.end()
               ? 0
               : __atomic_load_n(&it->second, __ATOMIC_RELAXED);
  }
  /// All places that control reached at least `times` times, each with its
  /// count.
  std::map<const Inst *, u64> passed(u64 times) const;

  /// Compiles the block that begins with `head` and what control has visited
  /// behind it, about `most` micro-ops, and puts the code's entries into the
  /// blocks' handlers. `epoch`: AddressSpace::epoch_counter(). Returns how many
  /// micro-ops were compiled. `placed` gets all entries, also those that have
  /// another compiler's code and keep it.
  struct Placed {
    jit::Entry entry;
    Handler handler;
  };
  unsigned compile(Code &code, const Inst *head, Waves waves,
                   const std::atomic<u64> *epoch, unsigned most,
                   std::vector<Placed> *placed = nullptr);

private:
  char *begin = nullptr, *next = nullptr, *end = nullptr; // memory for code
  std::set<const Inst *> blocks[unsigned(Waves::COUNT)];  // compiled: heads
  std::map<const Inst *, u64> counters; // compiled code has their addresses
  unsigned caches = 0;                  // inline caches given out
};

} // namespace gpuexec::emulator::amdgpu::baseline

#endif // GPUEXEC_EMULATOR_AMDGPU_BASELINE_COMPILER_H
