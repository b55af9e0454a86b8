//===-- emulator/amdgpu/table.h - What each mnemonic does -------*- C++ -*-===//
// The table that connects a mnemonic (encoding suffixes dropped) with its
// handlers. The handlers are compiled once per x86-64 level; the table of the
// best level for this machine is chosen at start-up.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_TABLE_H
#define GPUEXEC_EMULATOR_AMDGPU_TABLE_H

#include "emulator/amdgpu/uses.h"

namespace gpuexec::emulator::amdgpu {

enum class Form : u8 {
  none,
  valu,
  vcmp,
  packed,
  packed32,
  mix,
  salu,
  saveexec,
  special,
  memory
};

/// How an operand or a result is read and written.
enum class Type : u8 { none, u8, u16, f16, u32, f32, u64, f64, p16 };
constexpr unsigned registers_of(Type type) {
  return type == Type::none                       ? 0
         : type == Type::u64 || type == Type::f64 ? 2
                                                  : 1;
}
constexpr bool is_float(Type type) {
  return type == Type::f16 || type == Type::f32 || type == Type::f64;
}
constexpr bool is_half(Type type) {
  return type == Type::u16 || type == Type::f16;
}

struct Operation {
  const char *name;
  Form form = Form::none;
  u8 sources = 0; // the old destination of a tied one counted
  Type source[3] = {};
  Type result = Type::none;
  bool tied = false;
  bool condition = false; // reads a lane mask
  bool writes_mask = false;
  bool keep_high = false;
  Uses uses; // of the handlers below
  Handler fn[SHAPES] = {};
  Handler saturating[SHAPES] = {}; // null when there is none
  Handler writes_exec = nullptr; // SALU: the variant whose destination is EXEC
};

/// Steps around an operation (control.h); each serves every shape of EXEC.
struct Steps {
  Handler sdwa, sdwa_merge, dpp, masked_copy, modify, upper_half, insert_half,
      finish, copy_scalar, set_exec, indexed, link, unsupported, illegal,
      leave_code, count, count_divergence, note, skip, fence;
};

struct Level {
  const char *name;
  const Operation *operations;
  unsigned count;
  Steps steps;
  void (*enter)(State &, const Inst *);
};

/// The best level that this processor can run.
const Level &best_level();
const Level &level_v2();
const Level &level_v3();
const Level &level_v4();

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_TABLE_H
