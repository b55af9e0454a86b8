//===-- emulator/amdgpu/translate.cpp - MCInst to steps -------------------===//
#include "emulator/amdgpu/translate.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu {

Translator::Translator(Disassembler &disassembler, bool counting)
    : disassembler(disassembler), handlers(best_level().steps),
      counting(counting), aligned(disassembler.wants_aligned_tuples()) {}

Step &Translator::step(std::vector<Step> &steps, Handler handler, Uses uses) {
  Step &step = steps.emplace_back();
  for (Handler &fn : step.fn)
    fn = handler;
  step.pc = pc;
  step.uses = uses;
  return step;
}

Operand Translator::destination(const llvm::MCOperand &op) const {
  if (!op.isReg() || !op.getReg())
    return NOWHERE;
  unsigned encoding = disassembler.registers().getEncodingValue(op.getReg());
  unsigned index = encoding & ENCODING_INDEX;
  if (encoding & ENCODING_VGPR)
    return vector_operand(index);
  if (encoding & ENCODING_AGPR)
    return vector_operand(256 + index);
  return index < SCALARS ? scalar_operand(index) : NOWHERE;
}

Operand Translator::register_operand(const llvm::MCOperand &op,
                                     std::vector<Step> &steps) {
  Operand reg = destination(op);
  if (reg != NOWHERE || !op.isReg() || !op.getReg())
    return reg;
  // 251 vccz, 252 execz, 253 scc: made into values by a step before.
  unsigned index =
      disassembler.registers().getEncodingValue(op.getReg()) & ENCODING_INDEX;
  if (index < 251 || index > 253)
    return NOWHERE;
  Operand slot = Operand(offsetof(State, slots) + (index - 251) * 8);
  Step &copy =
      step(steps, handlers.copy_scalar, from_to({}, writes(File::scalar, 2)));
  copy.imm = index - 251;
  copy.dst = slot;
  return slot;
}

/// Fills in a source; apertures and constants outside the inline table become
/// the instruction's literal.
Operand Translator::source_operand(const llvm::MCOperand &op, Inst &inst,
                                   std::vector<Step> &steps) {
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
  return register_operand(op, steps);
}

Translator::Parts Translator::parse(const llvm::MCInst &inst) {
  Parts parts;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(inst.getOpcode());
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
    if (k < desc.getNumOperands() &&
        desc.getOperandConstraint(k, llvm::MCOI::TIED_TO) != -1) {
      mods = 0;
      continue;
    }
    if (type == OPERAND_INPUT_MODS && op.isImm()) {
      mods = unsigned(op.getImm());
      continue;
    }
    if (op.isImm() && (type == OPERAND_PLAIN_IMMEDIATE || type == 0)) {
      parts.immediates.push_back(op.getImm());
      continue;
    }
    Parts::Source source;
    source.op = op;
    source.mods = mods;
    source.is_vector =
        op.isReg() && op.getReg() &&
        is_vector_register(
            disassembler.registers().getEncodingValue(op.getReg()));
    parts.sources.push_back(source);
    mods = 0;
  }
  return parts;
}

static InstructionClass class_of(const Operation &op, llvm::StringRef name) {
  switch (op.form) {
  case Form::valu:
  case Form::vcmp:
  case Form::packed:
  case Form::packed32:
  case Form::mix:
    return InstructionClass::vector_alu;
  case Form::salu:
  case Form::saveexec:
    return InstructionClass::scalar_alu;
  default:
    break;
  }
  if (name.starts_with("ds_"))
    return InstructionClass::lds;
  if (name.contains("_atomic_"))
    return InstructionClass::atomic;
  if (name.starts_with("scratch_"))
    return InstructionClass::scratch;
  if (op.form == Form::memory)
    return InstructionClass::global_memory;
  if (name.starts_with("s_load") || name.starts_with("s_buffer_load"))
    return InstructionClass::scalar_memory;
  if (name.starts_with("v_"))
    return InstructionClass::vector_alu;
  if (name == "s_barrier")
    return InstructionClass::barrier;
  if (name.contains("branch") || name.contains("pc_b64") ||
      name == "s_call_b64")
    return InstructionClass::branch;
  return InstructionClass::other;
}

/// What orders memory on the device costs something here only where a load
/// must not overtake an earlier store: the rest x86 does by itself. In what
/// LLVM makes of atomics ("Memory Model" of its AMDGPU guide) that is a fence
/// that releases and acquires, and a load that waits for all before it
/// (sequentially consistent ones do).
void Translator::order(const llvm::MCInst &mc, llvm::StringRef name,
                       std::vector<Step> &steps, size_t body) {
  if (name == "s_waitcnt") {
    constexpr i64 LOADS_AND_STORES = 0xc00f; // bits of vmcnt
    waited |= mc.getNumOperands() && mc.getOperand(0).isImm() &&
              !(mc.getOperand(0).getImm() & LOADS_AND_STORES);
    return;
  }
  if (name == "s_nop")
    return;
  Last before = last;
  bool had_waited = waited;
  last = Last::other;
  waited = false;
  auto none = [&] {
    for (Handler &fn : steps.back().fn)
      fn = handlers.skip;
  };
  if (name == "buffer_wbl2") {
    last = Last::write_back;
    none();
  } else if (name == "buffer_inv") { // gfx942: releases have written back
    last = Last::invalidation;
    if (before != Last::write_back)
      none();
  } else if (name.starts_with("buffer_inv") ||
             name.starts_with("buffer_wbinv")) { // gfx90a: two in a row
    last = Last::invalidation;
    if (before == Last::read || before == Last::invalidation)
      none();
  } else if (name.contains("_atomic_")) {
    last = Last::read;
  } else if (name.starts_with("flat_load") || name.starts_with("global_load")) {
    last = Last::read;
    constexpr i64 COHERENT = 1 | 16; // LLVM's CPol: GLC or SC0, SC1
    const llvm::MCOperand &policy = mc.getOperand(mc.getNumOperands() - 1);
    if (had_waited && policy.isImm() && policy.getImm() & COHERENT) {
      Step fence;
      fence.pc = pc;
      for (Handler &fn : fence.fn)
        fn = handlers.fence;
      steps.insert(steps.begin() + long(body), fence);
    }
  }
}

/// Whether all steps' operands are there. A step that writes EXEC as it would
/// any other register is followed by one that takes notice of it.
bool Translator::check(std::vector<Step> &steps, size_t body, bool ends_block) {
  for (size_t k = body; k < steps.size(); ++k) {
    if (!operands_exist(steps[k], aligned))
      return false;
    if (!writes_exec(steps[k]) || steps[k].notices_exec)
      continue;
    if (ends_block)
      return false;
    Step after;
    after.pc = pc;
    after.src[0] = scalar_operand(EXEC);
    after.uses = from_to(reads(File::scalar, 2), {});
    for (Handler &fn : after.fn)
      fn = handlers.set_exec;
    steps.insert(steps.begin() + long(k) + 1, after);
  }
  return true;
}

/// Between s_set_gpr_idx_on and _off: the one step runs with its vector
/// operands moved, as far as there are registers.
bool Translator::index(std::vector<Step> &steps, size_t body) {
  if (steps.size() != body + 1)
    return false;
  Step plain = steps.back();
  u32 room = 255;
  auto look_at = [&](Operand operand, Use use, bool moved) {
    if (moved && use.file != File::none && operand & ROW)
      room = std::min(room, room_above(operand, use));
  };
  for (unsigned k = 0; k < 3; ++k)
    look_at(plain.src[k], plain.uses.src[k], index_mode >> k & 1);
  look_at(plain.dst, plain.uses.dst, index_mode >> 3 & 1);
  steps.pop_back();
  Step &indexed = step(steps, handlers.indexed);
  indexed.imm = index_mode;
  indexed.scond = Operand(room);
  steps.push_back(plain);
  return true;
}

void Translator::refuse(std::vector<Step> &steps, size_t first, Handler handler,
                        const char *why) {
  steps.resize(first);
  step(steps, handler).data = why;
}

static void number(std::vector<Step> &steps, size_t first,
                   const llvm::MCInst &mc) {
  for (size_t k = first; k < steps.size(); ++k)
    steps[k].opcode = u16(mc.getOpcode());
}

void Translator::translate(const llvm::MCInst &mc, u32 at, unsigned bytes,
                           std::deque<std::string> &texts,
                           std::vector<Step> &steps, bool &ends_block) {
  pc = at;
  size = bytes;
  ends_block = false;
  const OpcodeInfo &info = disassembler.info(mc.getOpcode());
  size_t first = steps.size();
  bool good = false;
  if (info.operation) {
    const Operation &op = *info.operation;
    if (counting) {
      Inst &c = step(steps, handlers.count);
      c.kind = u16(class_of(op, info.mnemonic));
      bool vector = info.mnemonic[0] == 'v' || op.form == Form::memory;
      bool conditional =
          llvm::StringRef(info.mnemonic).starts_with("s_cbranch");
      c.imm = (vector ? 1 : 0) | (conditional ? 2 : 0) | 4;
    }
    size_t body = steps.size();
    switch (op.form) {
    case Form::valu:
    case Form::vcmp:
    case Form::packed:
    case Form::packed32:
    case Form::mix:
      good = valu(mc, info, steps);
      break;
    case Form::salu:
    case Form::saveexec:
      good = scalar(mc, info, steps);
      break;
    case Form::memory:
      good = memory(mc, info, steps);
      break;
    default:
      good = special(mc, info, steps, ends_block);
    }
    if (good)
      order(mc, info.mnemonic, steps, body);
    if (good && !check(steps, body, ends_block)) {
      refuse(steps, first, handlers.illegal, "an operand is no register");
      ends_block = true;
      return number(steps, first, mc);
    }
    if (good && index_mode && info.mnemonic[0] == 'v')
      good = index(steps, body);
    if (good && counting && !ends_block)
      step(steps, handlers.count_divergence);
    // What only waits needs no step: a third of what clang emits.
    if (good && !index_mode && steps.size() == first + 1 &&
        steps.back().fn[SOME] == handlers.skip)
      steps.pop_back();
  }
  if (!good) {
    texts.push_back(disassembler.print(mc, at));
    refuse(steps, first, handlers.unsupported, texts.back().c_str());
    ends_block = true;
  }
  number(steps, first, mc);
}

} // namespace gpuexec::emulator::amdgpu
