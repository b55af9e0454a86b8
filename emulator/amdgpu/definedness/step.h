//===-- emulator/amdgpu/definedness/step.h - One step of the check -*- C++
//-*-===//
// Under --check=uninit a step stands before each step of an instruction. It
// sees the registers as the instruction will find them, reports what the
// instruction would decide by an undefined value, and sets the shadows of its
// results. Nothing of this is in the code of other runs.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_STEP_H
#define GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_STEP_H

#include "emulator/amdgpu/definedness/bits.h"
#include "emulator/amdgpu/definedness/shadow.h"
#include "emulator/amdgpu/slow.h"
#include "emulator/amdgpu/table.h"

namespace gpuexec::emulator::amdgpu::definedness {

struct Plan;

/// One lane of a vector operation: what it reads.
struct LaneIn {
  Bits x[3];
  Bits condition;
  u32 at_least[3] = {0, 0, 0}; // what else is known of x
  unsigned lane = 0;
  bool saturates = false;
};
/// And what it gives: the value's undefined bits, and the mask's bit.
struct LaneOut {
  u64 undef = 0;
  bool bit = false;
};
using LaneRule = LaneOut (*)(const LaneIn &);

/// A scalar operation. `result` has its value as well: SCC often depends on it.
struct ScalarIn {
  Bits x[3];
  Bits scc;
};
struct ScalarOut {
  Bits result;
  bool scc = false;
};
using ScalarRule = ScalarOut (*)(const ScalarIn &);
struct ScalarShape {
  u8 source[3] = {0, 0, 0}; // bytes
  u8 result = 0;            // bytes
  bool writes_scc = false;
};

enum class Access : u8 { load, store, atomic, two_loads, two_stores };
enum class Segment : u8 { global, flat, scratch, lds, buffer };
enum class Update : u8 { replace, logic_and, logic_or, logic_xor, add, whole };
struct MemoryShape {
  Access access = Access::load;
  Segment segment = Segment::global;
  Update update = Update::whole;
  u8 bytes = 4;
  u8 half = 0; // d16: 1 low, 2 high
  bool is_signed = false, compares = false;
};

/// What an operation does to Shadow::Range.
enum class Ranges : u8 { none, copy, count, sum };

struct Context {
  State &s;
  Shadow &shadow;
  const Inst *at;   // the check's step
  const Inst &inst; // the one that it looks at
  const Plan &plan;

  /// Ends the kernel: `what` depends on an undefined value in `lanes`.
  /// Returns false, for the caller to return.
  bool report(const char *what, u64 lanes, Origin from);

  // An operand's value and shadow in one lane.
  Bits word(Operand o, unsigned lane, unsigned more = 0) const;
  Bits pair(Operand o, unsigned lane) const;
  Bits read(Operand o, Type type, unsigned lane) const;
  /// Lanes in which the operand has undefined bits.
  u64 undefined_lanes(Operand o, unsigned registers = 1) const;
  Origin origin(Operand o, unsigned registers = 1) const;
  Bits scalar(Operand o, unsigned bytes) const;
  /// The lanes of the row get these bits.
  void write_lane(Operand o, unsigned more, unsigned lane, u32 undef,
                  Origin from) {
    shadow.set_lane(Shadow::row_of(o, more), lane, undef, from);
  }
  void define(Operand o, unsigned registers, u64 lanes, u32 mask = ~0u);
  u64 mask_undef(Operand o) const { return shadow.scalar(o, 8); }
  /// A write to EXEC: true if it depends on nothing undefined.
  bool exec_is_known(u64 undef, Origin from);
};

struct Plan {
  bool (*run)(Context &c) = nullptr;   // false: a report was made
  bool (*plain)(Context &c) = nullptr; // indexed: of what is moved
  const Operation *operation = nullptr;
  LaneRule lane = nullptr;
  ScalarRule scalar = nullptr;
  ScalarShape shape;
  MemoryShape memory;
  Ranges ranges = Ranges::none;
  bool saturates = false, high = false;
};

/// Null where nothing but the rule for a whole is known.
LaneRule lane_rule(llvm::StringRef name);
struct ScalarEntry {
  ScalarShape shape;
  ScalarRule rule = nullptr; // null: as a whole
};
const ScalarEntry *scalar_entry(llvm::StringRef name);

// vector.cpp
bool vector(Context &c);
bool packed(Context &c);
bool packed_pairs(Context &c);
bool packed_move(Context &c);
bool mixed(Context &c);
// parts.cpp: the steps around an operation, and what moves data between lanes
bool part_read(Context &c);    // sdwa
bool part_written(Context &c); // sdwa_merge
bool lanes_moved(Context &c);  // dpp
bool masked_copy(Context &c);
bool sign_modified(Context &c);
bool upper_half(Context &c);
bool half_inserted(Context &c);
bool finished(Context &c);
bool scalar_copied(Context &c);
bool exec_set(Context &c);
bool indexed(Context &c);
bool first_lane_read(Context &c);
bool lane_read(Context &c);
bool lane_written(Context &c);
bool rows_swapped(Context &c);
bool backward_permuted(Context &c);
bool permuted(Context &c);
bool swizzled(Context &c);
// scalar.cpp
bool scalar(Context &c);
bool saved_exec(Context &c);
bool defined_scalar(Context &c); // getpc and the like: two words
bool defined_word(Context &c);   // getreg
bool mode_set(Context &c);
bool index_set(Context &c);
// memory.cpp
bool memory(Context &c);
bool scalar_memory(Context &c);
bool appended(Context &c);
// control.cpp
bool branch_on_scc(Context &c);
bool branch_on_vcc(Context &c);
bool jump(Context &c);
bool call(Context &c);

} // namespace gpuexec::emulator::amdgpu::definedness

#endif // GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_STEP_H
