//===-- emulator/amdgpu/definedness/check.h - The check of a micro-op -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Under --check=uninit a micro-op `check` stands before each micro-op of an
// instruction. It sees the registers before the instruction does, reports a
// fault if the instruction would decide something by an undefined value, and
// sets the shadows of the instruction's results. The code of other runs has no
// such micro-ops.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_CHECK_H
#define GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_CHECK_H

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/definedness/bits.h"
#include "emulator/amdgpu/definedness/shadow.h"
#include "emulator/amdgpu/interpret/cold_paths.h"

namespace gpuexec::emulator::amdgpu::definedness {

struct Plan;

/// The sources of a vector operation in one lane.
struct LaneIn {
  Bits x[3];
  Bits condition;
  u32 at_least[3] = {0, 0, 0}; // x[k] is not less: see Shadow::Range
  unsigned lane = 0;
  bool saturates = false;
};
/// Its results in that lane.
struct LaneOut {
  u64 undef = 0;    // undefined bits of the value
  bool bit = false; // the lane's bit of the mask is undefined
};
using LaneRule = LaneOut (*)(const LaneIn &);

/// The sources and results of a scalar operation.
struct ScalarIn {
  Bits x[3];
  Bits scc;
};
struct ScalarOut {
  Bits result;
  bool scc = false; // SCC is undefined
};
using ScalarRule = ScalarOut (*)(const ScalarIn &);
/// The bits of a register that an operation writes.
constexpr u32 field_of(Half half) {
  return half == Half::low ? 0xffffu : half == Half::high ? 0xffff0000u : ~0u;
}

/// How an operation's result gets its Shadow::Range: see vector.cpp.
enum class Ranges : u8 { none, copy, count, sum };

struct Context {
  State &s;
  Shadow &shadow;
  const Inst *at;   // the check's micro-op
  const Inst &inst; // the one that it looks at
  const Plan &plan;

  /// Ends the kernel with a fault: a value that is undefined in `lanes` has
  /// been used. `what` says how, as in "a branch depends on it". Returns false,
  /// for the caller to return.
  bool report(const char *what, u64 lanes, Origin from);

  // An operand's value and shadow in one lane.
  Bits word(Operand o, unsigned lane, unsigned more = 0) const;
  Bits pair(Operand o, unsigned lane) const;
  Bits read(Operand o, Type type, unsigned lane) const;
  /// Lanes in which the operand has undefined bits.
  u64 undefined_lanes(Operand o, unsigned registers = 1) const;
  Origin origin(Operand o, unsigned registers = 1) const;
  Bits scalar(Operand o, unsigned bytes) const;
  /// Sets the undefined bits of one lane, in row `more` of the operand.
  void write_lane(Operand o, unsigned more, unsigned lane, u32 undef,
                  Origin from) {
    shadow.set_lane(Shadow::row_of(o, more), lane, undef, from);
  }
  void define(Operand o, unsigned registers, u64 lanes, u32 mask = ~0u);
  u64 mask_undef(Operand o) const { return shadow.scalar(o, 8); }
  /// True if the new value of EXEC has no undefined bits; else reports a fault.
  bool exec_is_known(u64 undef, Origin from);
};

/// What the check of one micro-op does: decided once, when it is decoded.
struct Plan {
  bool (*run)(Context &c) = nullptr;   // false after report()
  bool (*plain)(Context &c) = nullptr; // if `run` is indexed(): the check of
                                       // the instruction that is indexed
  const Operation *operation = nullptr;
  LaneRule lane = nullptr;
  ScalarRule scalar = nullptr;
  Ranges ranges = Ranges::none;
  bool saturates = false;
};

/// The rule for the results of an operation; null if the operation is taken as
/// a whole (bits.h).
LaneRule lane_rule(OperationId id);
ScalarRule scalar_rule(OperationId id);

// vector.cpp
bool vector(Context &c);
bool packed(Context &c);
bool packed_pairs(Context &c);
bool packed_move(Context &c);
bool mixed(Context &c);
// parts.cpp: the micro-ops around an operation, and instructions that move data
// between lanes
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
bool defined_scalar(Context &c); // two words, always defined: s_getpc ...
bool defined_word(Context &c);   // one word, always defined: s_getreg ...
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
