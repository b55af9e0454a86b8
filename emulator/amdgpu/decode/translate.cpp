//===-- emulator/amdgpu/decode/translate.cpp - MCInst to micro-ops --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/decode/translate.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu {

Translator::Translator(Disassembler &disassembler, BasicBlocks *counting,
                       bool preempts)
    : disassembler(disassembler), counting(counting), preempts(preempts),
      target(disassembler.target()), rules(disassembler.register_rules()) {}

MicroOp Translator::micro_op(MicroOpKind kind, Uses uses) const {
  MicroOp op;
  op.kind = kind;
  op.pc = pc;
  op.uses = uses;
  return op;
}

MicroOp Translator::main_op(const Operation &operation) const {
  return micro_op(MicroOpKind::operation, operation.uses);
}

/// RDNA's special scalar registers: null reads as 0 and ignores writes. So does
/// exec_hi in a wave of 32 lanes. M0 and null have changed places in RDNA3.
/// NOWHERE: the register is an ordinary one.
Operand Translator::special_scalar(unsigned index, bool written) const {
  if (!target.is_rdna())
    return NOWHERE;
  const unsigned null = target.generation == 10 ? 125 : 124;
  if (index == null || (index == EXEC + 1 && target.wave32))
    return slot_operand(written ? SLOT_NOWHERE : SLOT_ZERO);
  return index == 124 || index == 125 ? scalar_operand(M0) : NOWHERE;
}

Operand Translator::destination(const llvm::MCOperand &op) const {
  return place(op, true);
}

bool Translator::is_high_half(const llvm::MCOperand &op) const {
  return op.isReg() && op.getReg() &&
         disassembler.registers().getEncodingValue(op.getReg()) &
             ENCODING_HIGH_HALF;
}

Operand Translator::mask_place(Operand mask) const {
  return target.wave32 ? slot_operand(SLOT_LANE_MASK) : mask;
}
void Translator::finish_mask(Operand mask, std::vector<MicroOp> &ops) const {
  if (!target.wave32)
    return;
  const Operation &move = operation(OperationId::s_mov_b32);
  MicroOp &narrow = ops.emplace_back(main_op(move));
  narrow.operation = move.id;
  narrow.src[0] = slot_operand(SLOT_LANE_MASK);
  narrow.dst = mask;
  if (writes_exec(narrow)) {
    narrow.notices_exec = true;
    narrow.variant = Variant::writes_exec;
  }
}

Operand Translator::place(const llvm::MCOperand &op, bool written) const {
  if (!op.isReg() || !op.getReg())
    return NOWHERE;
  unsigned encoding = disassembler.registers().getEncodingValue(op.getReg());
  unsigned index = encoding & ENCODING_INDEX;
  if (encoding & ENCODING_VGPR)
    return vector_operand(index);
  if (encoding & ENCODING_AGPR)
    return vector_operand(256 + index);
  if (Operand special = special_scalar(index, written); special != NOWHERE)
    return special;
  return index < SCALARS ? scalar_operand(index) : NOWHERE;
}

Operand Translator::register_operand(const llvm::MCOperand &op,
                                     std::vector<MicroOp> &ops) {
  Operand reg = place(op, false);
  if (reg != NOWHERE || !op.isReg() || !op.getReg())
    return reg;
  // 251 vccz, 252 execz, 253 scc: copy_scalar, before the operation, stores the
  // condition as a value.
  unsigned index =
      disassembler.registers().getEncodingValue(op.getReg()) & ENCODING_INDEX;
  if (index < 251 || index > 253)
    return NOWHERE;
  const u32 condition = index - 251;
  Operand slot = slot_operand(Slot(condition));
  MicroOp copy =
      micro_op(MicroOpKind::copy_scalar, from_to({}, writes(File::scalar, 2)));
  copy.imm = condition == SLOT_VCCZ && target.wave32 ? 3 : condition;
  copy.dst = slot;
  ops.push_back(copy);
  return slot;
}

/// Fills in a source; apertures and constants outside the inline table become
/// the instruction's literal.
Operand Translator::source_operand(const llvm::MCOperand &op, Inst &inst,
                                   std::vector<MicroOp> &ops) {
  auto literal = [&](u64 value) {
    Operand o = constant_operand(value);
    if (o == LITERAL)
      inst.imm = value;
    return o;
  };
  if (op.isImm())
    return literal(u64(op.getImm()));
  if (!op.isReg() || !op.getReg())
    return NOWHERE;
  switch (disassembler.registers().getEncodingValue(op.getReg()) &
          ENCODING_INDEX) {
  default:
    break;
  case 235:
  case 236:
  case 237:
  case 238: {
    unsigned encoding = disassembler.registers().getEncodingValue(op.getReg());
    if (is_vector_register(encoding))
      break;
    unsigned which = encoding & ENCODING_INDEX;
    u64 base = which < 237 ? SHARED_APERTURE : PRIVATE_APERTURE;
    return literal(which & 1 ? base : base + APERTURE_SIZE - 1); // base : limit
  }
  }
  return register_operand(op, ops);
}

Translator::Parts Translator::parse(const llvm::MCInst &inst) {
  Parts parts;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(inst.getOpcode());
  const auto is_tied = [&](unsigned k) {
    return k < desc.getNumOperands() &&
           desc.getOperandConstraint(k, llvm::MCOI::TIED_TO) != -1;
  };
  // What lanes keep that DPP does not let write is an operand, too. It is not
  // tied to the result where the last source is.
  unsigned kept = ~0u;
  if (disassembler.info(inst.getOpcode()).encoding == Encoding::dpp)
    for (unsigned k = desc.getNumDefs() + 1; k < inst.getNumOperands(); ++k)
      if (is_tied(k) && inst.getOperand(desc.getNumDefs()).isReg())
        kept = desc.getNumDefs();
  unsigned mods = 0;
  for (unsigned k = 0; k < inst.getNumOperands(); ++k) {
    const llvm::MCOperand &op = inst.getOperand(k);
    if (k < desc.getNumDefs()) {
      parts.defs.push_back(op);
      continue;
    }
    unsigned type = k < desc.getNumOperands()
                        ? unsigned(desc.operands()[k].OperandType)
                        : OPERAND_PLAIN_IMMEDIATE;
    if (k == kept)
      continue;
    if (is_tied(k)) {
      parts.tied_mods = mods;
      mods = 0;
      continue;
    }
    if (type == OPERAND_INPUT_MODS && op.isImm()) {
      mods = unsigned(op.getImm());
      continue;
    }
    if (op.isImm() && (type == OPERAND_PLAIN_IMMEDIATE || type == 0)) {
      parts.immediates.push_back(op.getImm());
      parts.immediate_at.push_back(k);
      continue;
    }
    Parts::Source source;
    source.op = op;
    source.mods = mods | (is_high_half(op) ? unsigned(SRC_OP_SEL_0) : 0);
    source.is_vector =
        op.isReg() && op.getReg() &&
        is_vector_register(
            disassembler.registers().getEncodingValue(op.getReg()));
    parts.sources.push_back(source);
    mods = 0;
  }
  return parts;
}

/// Adds fences of the host where the program orders memory. x86 orders all
/// accesses by itself, but a load may overtake an earlier store. So a fence of
/// the host is needed only where that matters. In the code that LLVM emits for
/// atomics ("Memory Model" of its AMDGPU guide) these are a fence that releases
/// and acquires, and a sequentially consistent load, which waits for all
/// accesses before it.
void Translator::order(const llvm::MCInst &mc, const Operation &operation,
                       std::vector<MicroOp> &ops, size_t body) {
  if (operation.order == Order::wait) {
    // gfx9: bits of vmcnt. RDNA counts stores apart and waits for them in an
    // instruction of its own.
    constexpr i64 LOADS_AND_STORES = 0xc00f;
    waited |= !target.is_rdna() && mc.getNumOperands() &&
              mc.getOperand(0).isImm() &&
              !(mc.getOperand(0).getImm() & LOADS_AND_STORES);
    return;
  }
  if (operation.order == Order::wait_for_stores) {
    const llvm::MCOperand &left = mc.getOperand(mc.getNumOperands() - 1);
    const bool more = operation.id == OperationId::s_wait_storecnt_dscnt;
    waited |= left.isImm() && left.getImm() >> (more ? 8 : 0) == 0;
    return;
  }
  if (operation.order == Order::transparent)
    return;
  Last before = last;
  bool had_waited = waited;
  last = Last::other;
  waited = false;
  auto no_fence_if = [&](bool ordered) {
    if (ordered)
      ops.back().kind = MicroOpKind::skip;
  };
  const MemoryAccess &memory = operation.memory;
  bool global = memory.space == Space::global || memory.space == Space::flat;
  if (operation.order == Order::write_back) {
    last = Last::write_back;
    no_fence_if(true);
  } else if (operation.order == Order::invalidate) {
    // Only after a write-back: the two are a fence that releases and acquires.
    last = Last::invalidation;
    no_fence_if(before != Last::write_back);
  } else if (operation.order == Order::invalidate_one) {
    last = Last::invalidation;
    no_fence_if(before == Last::read || before == Last::invalidation);
  } else if (memory.access == Access::atomic && memory.space != Space::lds) {
    last = Last::read;
  } else if (global && memory.access == Access::load) {
    last = Last::read;
    // LLVM's CPol: GLC or SC0, SC1; from RDNA4 on the scope.
    const i64 COHERENT = target.generation >= 12 ? 3 << 3 : 1 | 16;
    const llvm::MCOperand &policy = mc.getOperand(mc.getNumOperands() - 1);
    if (had_waited && policy.isImm() && policy.getImm() & COHERENT)
      ops.insert(ops.begin() + long(body), micro_op(MicroOpKind::fence));
  }
}

/// True if the operands of all micro-ops exist. Behind a micro-op that writes
/// EXEC like any other register, adds set_exec, which updates State::shape.
bool Translator::check(std::vector<MicroOp> &ops, size_t body,
                       bool ends_block) {
  for (size_t k = body; k < ops.size(); ++k) {
    if (!operands_exist(ops[k], rules))
      return false;
    if (!writes_exec(ops[k]) || ops[k].notices_exec)
      continue;
    if (ends_block)
      return false;
    MicroOp after =
        micro_op(MicroOpKind::set_exec, from_to(reads(File::scalar, 2), {}));
    after.src[0] = scalar_operand(EXEC);
    ops.insert(ops.begin() + long(k) + 1, after);
  }
  return true;
}

/// Between s_set_gpr_idx_on and _off, and for v_movrel: puts `indexed` before
/// the instruction's only micro-op. `moved` names the vector operands whose
/// register numbers are raised by M0; `room` is the largest number by which all
/// of them can be raised.
bool Translator::index(std::vector<MicroOp> &ops, size_t body, unsigned moved) {
  if (ops.size() != body + 1)
    return false;
  const MicroOp &plain = ops.back();
  u32 room = 255;
  auto look_at = [&](Operand operand, Use use, bool yes) {
    if (yes && use.file != File::none && operand & ROW)
      room = std::min(room, room_above(operand, use));
  };
  for (unsigned k = 0; k < 3; ++k)
    look_at(plain.src[k], plain.uses.src[k], moved >> k & 1);
  look_at(plain.dst, plain.uses.dst, moved >> 3 & 1);
  MicroOp indexed = micro_op(MicroOpKind::indexed);
  indexed.imm = moved;
  indexed.scond = Operand(room);
  ops.insert(ops.end() - 1, indexed);
  return true;
}

void Translator::refuse(std::vector<MicroOp> &ops, size_t first,
                        MicroOpKind kind, const char *why) {
  ops.resize(first);
  ops.push_back(micro_op(kind));
  ops.back().data = why;
}

// Statistics (decode/basic_blocks.h).

void Translator::begin_basic_block(std::vector<MicroOp> &ops) {
  basic_block = &counting->add();
  basic_block->lanes_of_wave = target.wave32 ? LANES / 2 : LANES;
  count_of_block = ops.size();
  MicroOp count = micro_op(MicroOpKind::count);
  count.imm = basic_block->number;
  count.data = basic_block;
  ops.push_back(count);
}

/// If the last of `ops` is a load, store or atomic that may reach global
/// memory, puts count_access before it, with the same address operands.
void Translator::count_access(const MemoryAccess &access,
                              std::vector<MicroOp> &ops) {
  MicroOp count = ops.back();
  const bool global = access.space == Space::global,
             elsewhere =
                 access.space == Space::flat || access.space == Space::buffer;
  if ((!global && !elsewhere) || access.access == Access::none)
    return;
  count.kind = MicroOpKind::count_access;
  count.dst = count.src[2] = 0;
  count.uses.dst = count.uses.src[2] = {};
  BasicBlock &block = global ? *basic_block : counting->add();
  if (elsewhere)
    count.data = &block;
  block.add_access(access);
  ops.insert(ops.end() - 1, count);
}

/// True if the wave may stop behind the instruction, or its counters are read
/// there.
static bool interrupts(OperationId id) {
  return id == OperationId::s_barrier || id == OperationId::s_sleep ||
         id == OperationId::s_ttracedata;
}

void Translator::end_basic_block(const Operation &operation,
                                 std::vector<MicroOp> &ops, size_t body,
                                 bool ends_block) {
  bool changes_exec = false;
  for (size_t k = body; k < ops.size(); ++k)
    changes_exec |= ops[k].notices_exec || writes_exec(ops[k]);
  if (changes_exec && !ends_block) {
    ops[count_of_block].mods = COUNT_KEEPS_EXEC;
    ops.push_back(micro_op(MicroOpKind::count_divergence));
  }
  if (changes_exec || operation.terminator != Terminator::none ||
      interrupts(operation.id))
    basic_block = nullptr;
}

/// True for a load, store or atomic that other waves may see.
static bool is_shared_access(const Operation &operation) {
  if (operation.form != Form::memory)
    return false;
  switch (operation.memory.space) {
  case Space::global:
  case Space::flat:
  case Space::lds:
    return operation.memory.access != Access::none;
  default: // scratch, and buffers, which clang uses for the stack
    return false;
  }
}

/// Adds the micro-ops of the instruction itself, without those for statistics,
/// order and indexing. False if the emulator cannot execute it.
bool Translator::body(const llvm::MCInst &mc, const OpcodeInfo &info,
                      std::vector<MicroOp> &ops) {
  const Operation &operation = *info.operation;
  if (info.second)
    return dual(mc, info, ops);
  switch (operation.form) {
  case Form::valu:
  case Form::vcmp:
  case Form::packed:
  case Form::packed32:
  case Form::mix:
    return valu(mc, info, ops);
  case Form::salu:
  case Form::saveexec:
    return scalar(mc, operation, ops);
  case Form::memory:
    return memory(mc, info, ops);
  case Form::scalar_load:
    return scalar_load(mc, operation, ops);
  case Form::special:
    return operation.matrix.m ? matrix(mc, operation, ops)
                              : special(mc, operation, ops);
  case Form::nothing:
    if (operation.id == OperationId::s_set_gpr_idx_off)
      index_mode = 0;
    ops.push_back(micro_op(MicroOpKind::skip));
    return true;
  case Form::fence:
    ops.push_back(micro_op(MicroOpKind::fence));
    return true;
  case Form::none:
    break;
  }
  return false;
}

void Translator::translate(const llvm::MCInst &mc, u32 at, unsigned bytes,
                           std::deque<std::string> &texts,
                           std::vector<MicroOp> &ops, bool &ends) {
  pc = at;
  size = bytes;
  const OpcodeInfo &info = disassembler.info(mc.getOpcode());
  size_t first = ops.size();
  bool good = false;
  ends = false;
  if (info.operation) {
    const Operation &operation = *info.operation;
    const bool begins = counting && !basic_block;
    if (begins)
      begin_basic_block(ops);
    size_t begin = ops.size();
    good = body(mc, info, ops);
    ends = ends_block(operation.terminator);
    if (good && counting && operation.form == Form::memory)
      count_access(operation.memory, ops);
    if (good)
      order(mc, operation, ops, begin);
    if (good && !check(ops, begin, ends)) {
      refuse(ops, first, MicroOpKind::illegal, "an operand is no register");
      ends = true;
      return;
    }
    if (good && index_mode &&
        operation.instruction_class == InstructionClass::lane_arithmetic)
      good = index(ops, begin, index_mode);
    else if (good && info.relative)
      good = index(ops, begin, info.relative);
    // An instruction that only waits needs no micro-op. These are a third of
    // all instructions that clang emits.
    if (good && !index_mode && ops.size() == begin + 1 &&
        ops.back().kind == MicroOpKind::skip)
      ops.pop_back();
    if (good && preempts && is_shared_access(operation))
      ops.insert(ops.begin() + long(begin), micro_op(MicroOpKind::preempt));
    if (good && counting) {
      basic_block->add(operation);
      if (operation.fidelity != Fidelity::exact)
        counting->add_inexact(*basic_block, operation);
      basic_block->end = at + bytes;
      end_basic_block(operation, ops, begin, ends);
    }
    for (size_t k = first; k < ops.size(); ++k)
      if (ops[k].operation == OperationId::none)
        ops[k].operation = operation.id;
  }
  if (!good) {
    texts.push_back(disassembler.print(mc, at));
    refuse(ops, first, MicroOpKind::unsupported, texts.back().c_str());
    ends = true;
  }
}

} // namespace gpuexec::emulator::amdgpu
