//===-- emulator/amdgpu/definedness/check.h - The check of a micro-op -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under --check=uninit a micro-op of the check stands before each micro-op of
// an instruction. It sees the registers as the instruction will find them,
// reports what the instruction would decide by an undefined value, and sets the
// shadows of its results. The code of other runs has none of it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_CHECK_H
#define GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_CHECK_H

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/definedness/bits.h"
#include "emulator/amdgpu/definedness/shadow.h"
#include "emulator/amdgpu/interpret/cold_paths.h"

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
/// The bits of a register that are written.
constexpr u32 field_of(Half half) {
  return half == Half::low ? 0xffffu : half == Half::high ? 0xffff0000u : ~0u;
}

/// What an operation does to Shadow::Range.
enum class Ranges : u8 { none, copy, count, sum };

struct Context {
  State &s;
  Shadow &shadow;
  const Inst *at;   // the check's micro-op
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
  Ranges ranges = Ranges::none;
  bool saturates = false;
};

/// The rules of an operation; null where it is taken as a whole: one undefined
/// bit makes all of the result undefined.
LaneRule lane_rule(OperationId id);
ScalarRule scalar_rule(OperationId id);

// vector.cpp
bool vector(Context &c);
bool packed(Context &c);
bool packed_pairs(Context &c);
bool packed_move(Context &c);
bool mixed(Context &c);
// parts.cpp: the micro-ops around an operation, and what moves data between
// lanes
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
bool matrices_multiplied(Context &c);
bool backward_permuted(Context &c);
bool permuted(Context &c);
bool swizzled(Context &c);
bool halves_swapped(Context &c);
/// v_permlane16; OtherRow: v_permlanex16.
template <bool OtherRow> bool permuted_in_rows(Context &c);
template <bool OtherRow> bool permuted_in_rows_by_lane(Context &c);
bool wave_halves_swapped(Context &c);
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

#endif // GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_CHECK_H
