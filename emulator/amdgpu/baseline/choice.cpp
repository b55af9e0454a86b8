//===-- emulator/amdgpu/baseline/choice.cpp - A stencil for a micro-op ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/baseline/choice.h"
#include "emulator/amdgpu/baseline/block_code.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/interpret/level.h"

#include <algorithm>
#include <iterator>

namespace gpuexec::emulator::amdgpu::baseline {

const Stencil &special_stencil(Special special, Lanes lanes) {
  Key key;
  key.special = u8(special);
  key.lanes = u8(lanes);
  return *find_stencil(key);
}

/// The stencils that special instructions have (ops/special.def).
enum class SpecialStencil : u8 {
  none,
  branch,
  call,
  get_pc,
  set_pc,
  swap_pc,
  read_first_lane,
  read_lane,
  write_lane,
};
static SpecialStencil special_stencil_of(const Inst &inst) {
  if (inst.kind != MicroOpKind::operation)
    return SpecialStencil::none;
  switch (inst.operation) {
#define SPECIAL(name, class, handler, uses, stencil, jit, shadow)              \
  case OperationId::name:                                                      \
    return SpecialStencil::stencil;
#define JUMP(name, terminator, handler, uses, stencil, shadow)                 \
  case OperationId::name:                                                      \
    return SpecialStencil::stencil;
#include "emulator/amdgpu/ops/special.def"
  default:
    return SpecialStencil::none;
  }
}
static bool is(const Inst &inst, SpecialStencil stencil) {
  return special_stencil_of(inst) == stencil;
}

bool is_nothing_without_lane(const Inst &inst) {
  switch (inst.kind) {
  // These write what the operation and those below read, and nothing else.
  case MicroOpKind::sdwa:
  case MicroOpKind::modify:
  case MicroOpKind::upper_half:
  case MicroOpKind::dpp:
  // These write active lanes alone. The interpreter's masked_copy would take
  // the mask that the last dpp left, which was not executed here.
  case MicroOpKind::masked_copy:
  case MicroOpKind::sdwa_merge:
  case MicroOpKind::insert_half:
  case MicroOpKind::finish:
  case MicroOpKind::count_access:
  case MicroOpKind::count_divergence:
    return true;
  default:
    break;
  }
  Inst original = inst; // its handlers may be a compiler's
  assign_handlers(original, best_level());
  return original.fn[NONE] ==
         best_level().micro_ops[unsigned(MicroOpKind::skip)];
}

bool takes_direct_target(const Inst &inst) {
  return inst.kind == MicroOpKind::link || is(inst, SpecialStencil::branch) ||
         is(inst, SpecialStencil::call);
}

bool is_call(const Inst &inst) { return is(inst, SpecialStencil::call); }

bool is_conditional(const Inst &inst) {
  return inst.kind == MicroOpKind::operation &&
         operation(inst).terminator == Terminator::conditional;
}

bool writes_exec(const Inst &inst) {
  return inst.kind == MicroOpKind::set_exec ||
         (inst.kind == MicroOpKind::operation &&
          (inst.variant == Variant::writes_exec ||
           operation(inst).form == Form::saveexec));
}

bool saves_address_behind(const Inst &inst) {
  return is(inst, SpecialStencil::call) || is(inst, SpecialStencil::swap_pc) ||
         is(inst, SpecialStencil::get_pc);
}

Signs64 signs_of_source(const Inst &inst, unsigned k) {
  Signs64 signs;
  if (inst.kind != MicroOpKind::operation)
    return signs;
  const Type type = operation(inst).source[k];
  const u64 sign = type == Type::f64   ? u64(1) << 63
                   : type == Type::f32 ? u64(1) << 31
                                       : 0;
  if (inst.mods & mod_abs(k))
    signs.keep = ~sign;
  if (inst.mods & mod_neg(k))
    signs.flip = sign;
  return signs;
}

u32 numbered_block(const Inst &inst) {
  return inst.data ? static_cast<const BasicBlock *>(inst.data)->number : 0;
}

namespace {

Source source_of(Operand operand) {
  return operand == LITERAL ? Source::literal
         : operand & ROW    ? Source::row
                            : Source::scalar;
}

/// False when modifiers are unusual: not just signs of floats.
bool has_usual_modifiers(const Inst &inst, const Operation &op) {
  u32 usual = 0;
  for (unsigned k = 0; k < op.sources; ++k)
    if (op.source[k] == Type::f32 || op.source[k] == Type::f64)
      usual |= mod_neg(k) | mod_abs(k);
  return !(inst.mods & ~usual) && inst.scond != LITERAL;
}

/// Vector arithmetic; false when its modifiers are unusual.
bool vector_key(const Inst &inst, const Operation &op, Key &key) {
  for (unsigned k = 0; k < op.sources; ++k) {
    Source source = source_of(inst.src[k]);
    // A row and a scalar of one register are read alike.
    if (source == Source::scalar && registers_of(op.source[k]) == 1)
      source = Source::row;
    key.source[k] = u8(source);
  }
  key.modified = inst.mods != 0;
  return has_usual_modifiers(inst, op);
}

void scalar_key(const Inst &inst, const Operation &op, Key &key) {
  for (unsigned k = 0; k < 3; ++k)
    key.source[k] = u8(Source::scalar);
  const unsigned read = op.form == Form::saveexec ? 1 : op.sources;
  for (unsigned k = 0; k < read; ++k)
    key.source[k] = u8(source_of(inst.src[k]));
}

bool special_key(const Inst &inst, Key &key) {
  switch (special_stencil_of(inst)) {
  case SpecialStencil::read_first_lane:
  case SpecialStencil::set_pc:
  case SpecialStencil::swap_pc:
    return inst.src[0] != LITERAL;
  case SpecialStencil::read_lane:
    key.source[1] = u8(source_of(inst.src[1]));
    return inst.src[0] & ROW && inst.src[0] != LITERAL;
  case SpecialStencil::write_lane:
    key.source[0] = u8(source_of(inst.src[0]));
    key.source[1] = u8(source_of(inst.src[1]));
    return true;
  case SpecialStencil::none: // a conditional branch, or there is no stencil
  case SpecialStencil::branch:
  case SpecialStencil::call:
  case SpecialStencil::get_pc:
    return true;
  }
  return true;
}

bool operation_key(const Inst &inst, Key &key) {
  const Operation &op = operation(inst);
  key.operation = u16(inst.operation);
  key.variant = u8(inst.variant);
  switch (op.form) {
  case Form::valu:
  case Form::vcmp:
    return vector_key(inst, op, key);
  case Form::salu:
  case Form::saveexec:
    scalar_key(inst, op, key);
    return true;
  case Form::memory:
    key.source[0] = inst.src[0] != 0;
    key.source[1] = inst.src[1] != 0;
    return inst.src[1] != LITERAL &&
           (op.memory.space != Space::buffer || !(inst.mods & BUFFER_IDXEN));
  case Form::scalar_load:
    key.source[0] = 1;
    key.source[1] = inst.src[1] != 0;
    return inst.src[0] != LITERAL && inst.src[1] != LITERAL;
  case Form::special:
    return special_key(inst, key);
  default:
    return false;
  }
}

bool micro_op_key(const Inst &inst, bool on, Key &key) {
  key.kind = u8(inst.kind);
  switch (inst.kind) {
  case MicroOpKind::copy_scalar:
    key.source[0] = u8(inst.imm);
    return true;
  case MicroOpKind::upper_half: // a row and a scalar are read alike
    key.source[0] = u8(inst.src[0] == LITERAL ? Source::literal : Source::row);
    return true;
  case MicroOpKind::insert_half: // none with dpp_lanes
    key.source[0] = u8(inst.imm);
    return true;
  case MicroOpKind::count_divergence:
    key.source[0] = on;
    return true;
  case MicroOpKind::count:
    key.source[0] = on;
    key.source[1] = inst.mods == COUNT_KEEPS_EXEC;
    return numbered_block(inst) != 0;
  case MicroOpKind::count_access:
    // The row and the vector base are one operand.
    key.source[0] = inst.src[0] && inst.src[1];
    key.source[1] = inst.src[1] != 0;
    key.source[2] = operation(inst).memory.space == Space::flat;
    return inst.src[1] != LITERAL &&
           operation(inst).memory.space != Space::buffer &&
           (!key.source[2] || numbered_block(inst));
  default:
    return true;
  }
}

} // namespace

const Stencil *choose_stencil(const Inst &inst, bool on) {
  Key key;
  if (inst.kind != MicroOpKind::operation)
    return micro_op_key(inst, on, key) ? find_stencil(key) : nullptr;
  if (!operation_key(inst, key))
    return nullptr;
  const Operation &op = operation(inst);
  const bool lanes = op.form == Form::valu || op.form == Form::vcmp;
  if (!on && lanes) {
    return op.writes_mask || op.form == Form::vcmp
               ? &special_stencil(Special::zero_mask)
               : nullptr;
  }
  if (!on && op.form == Form::memory)
    return nullptr;
  return find_stencil(key);
}

static bool is_of_lanes(const Inst &inst) {
  return inst.kind == MicroOpKind::operation &&
         (operation(inst).form == Form::valu ||
          operation(inst).form == Form::vcmp);
}

static bool is_memory(const Inst &inst) {
  return inst.kind == MicroOpKind::operation &&
         operation(inst).form == Form::memory;
}

bool reads_literal_slot(const Inst &inst) {
  return is_of_lanes(inst) &&
         std::find(inst.src, std::end(inst.src), LITERAL) != std::end(inst.src);
}

Routine choose_routine(const Inst &inst, bool masked) {
  if (inst.variant != Variant::plain)
    return nullptr;
  RoutineKey key;
  key.operation = u16(inst.operation);
  key.masked = masked;
  if (is_memory(inst)) {
    // Addresses are rows; of the private segment: numbers.
    if (inst.src[1] == LITERAL ||
        (inst.src[0] != 0) == (operation(inst).memory.space == Space::scratch))
      return nullptr;
    key.scalars = inst.src[1] != 0;
    return find_routine(key);
  }
  if (!is_of_lanes(inst) || !has_usual_modifiers(inst, operation(inst)))
    return nullptr;
  for (unsigned k = 0; k < operation(inst).sources; ++k)
    key.scalars |= (source_of(inst.src[k]) != Source::row) << k;
  key.modified = inst.mods != 0;
  return find_routine(key);
}

/// What has no lanes, or has the same stencil for one lane and many.
static bool needs_no_lanes(const Inst &inst) {
  switch (inst.kind) {
  case MicroOpKind::copy_scalar:
  case MicroOpKind::skip:
  case MicroOpKind::preempt:
  case MicroOpKind::fence:
    return true;
  case MicroOpKind::operation:
    break;
  default:
    return false;
  }
  switch (special_stencil_of(inst)) {
  case SpecialStencil::read_lane:
  case SpecialStencil::write_lane:
  case SpecialStencil::get_pc:
  case SpecialStencil::set_pc:
  case SpecialStencil::swap_pc:
    return true;
  case SpecialStencil::branch:
  case SpecialStencil::call:
  case SpecialStencil::read_first_lane:
    return false;
  case SpecialStencil::none:
    break;
  }
  return is_conditional(inst) || ((operation(inst).form == Form::salu ||
                                   operation(inst).form == Form::scalar_load) &&
                                  inst.variant == Variant::plain);
}

const Stencil *choose_wave_stencil(const Inst &inst) {
  if (needs_no_lanes(inst))
    return choose_stencil(inst, true);
  if (takes_direct_target(inst) && !is_call(inst))
    return &special_stencil(Special::go, Lanes::any);
  if (is_of_lanes(inst) || is_memory(inst))
    return choose_routine(inst, true)
               ? &special_stencil(is_memory(inst) ? Special::call_memory
                                                  : Special::call,
                                  Lanes::any)
               : nullptr;
  Key key;
  if (inst.kind == MicroOpKind::operation ? !operation_key(inst, key)
                                          : !micro_op_key(inst, false, key))
    return nullptr;
  if (is(inst, SpecialStencil::read_first_lane) && !(inst.src[0] & ROW))
    return nullptr;
  key.lanes = u8(Lanes::any);
  return find_stencil(key);
}

} // namespace gpuexec::emulator::amdgpu::baseline
