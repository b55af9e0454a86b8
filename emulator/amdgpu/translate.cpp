//===-- emulator/amdgpu/translate.cpp - MCInst to steps ---------*- C++ -*-===//
// Operands are told apart by LLVM's operand descriptions: source modifiers have
// a type of their own, sources that may be constants have target types, and
// plain immediates are what is left (clamp, omod, selectors, offsets).
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <cstring>

namespace gpuexec::emulator::amdgpu {

namespace {

// LLVM 22's AMDGPU::OperandType (SIDefines.h, not installed); pinned by the
// decoder's tests.
enum : unsigned {
  OPERAND_REGISTER = 2,
  OPERAND_PLAIN_IMMEDIATE = 1,
  OPERAND_INPUT_MODS = 45
};
// SISrcMods: bits of a source modifier operand.
enum : unsigned {
  SRC_NEG = 1,
  SRC_ABS = 2,
  SRC_SEXT = 16,
  SRC_OP_SEL_0 = 4,
  SRC_OP_SEL_1 = 8
};
// SDWA selectors.
enum : unsigned { SEL_WORD_0 = 4, SEL_WORD_1 = 5, SEL_DWORD = 6 };
// Bits of a register's encoding (AMDGPU::HWEncoding).
enum : unsigned {
  ENCODING_VGPR = 1024,
  ENCODING_AGPR = 2048,
  ENCODING_INDEX = 255
};

i64 sign_extend(i64 value, unsigned bits) {
  return i64(u64(value) << (64 - bits)) >> (64 - bits);
}

} // namespace

struct Translator::Parts {
  struct Source {
    llvm::MCOperand op;
    unsigned mods = 0;
    bool is_vector = false;
  };
  llvm::SmallVector<llvm::MCOperand, 2> defs;
  llvm::SmallVector<Source, 5> sources;
  llvm::SmallVector<i64, 8> immediates;
};

Translator::Translator(Disassembler &disassembler, bool counting)
    : disassembler(disassembler), handlers(best_level().steps),
      counting(counting) {}

Inst &Translator::step(std::vector<Inst> &steps, Handler handler) {
  Inst &inst = steps.emplace_back();
  for (Handler &fn : inst.fn)
    fn = handler;
  inst.pc = pc;
  return inst;
}

static bool is_vector_register(unsigned encoding) {
  return encoding & (ENCODING_VGPR | ENCODING_AGPR);
}

Operand Translator::register_operand(unsigned reg, std::vector<Inst> &steps) {
  unsigned encoding = disassembler.registers().getEncodingValue(reg);
  unsigned index = encoding & ENCODING_INDEX;
  if (encoding & ENCODING_VGPR)
    return vector_operand(index);
  if (encoding & ENCODING_AGPR)
    return vector_operand(256 + index);
  if (index < SCALARS)
    return scalar_operand(index);
  // 251 vccz, 252 execz, 253 scc: made into values by a step before.
  if (index >= 251 && index <= 253) {
    Operand slot = Operand(offsetof(State, slots) + (index - 251) * 8);
    Inst &copy = step(steps, handlers.copy_scalar);
    copy.imm = index - 251;
    copy.dst = slot;
    return slot;
  }
  return 0;
}

/// Fills in a source; apertures and constants outside the inline table become
/// the instruction's literal.
Operand Translator::source_operand(const llvm::MCOperand &op, Inst &inst,
                                   std::vector<Inst> &steps) {
  auto literal = [&](u64 value) {
    Operand o = constant_operand(value);
    if (o == LITERAL)
      inst.imm = value;
    return o;
  };
  if (op.isImm())
    return literal(u64(op.getImm()));
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
  return register_operand(op.getReg(), steps);
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
    if (type == OPERAND_INPUT_MODS) {
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
        op.isReg() &&
        is_vector_register(
            disassembler.registers().getEncodingValue(op.getReg()));
    parts.sources.push_back(source);
    mods = 0;
  }
  return parts;
}

static u64 sdwa_part(unsigned select, bool sign) {
  unsigned shift = select < 4 ? 8 * select : select == SEL_WORD_1 ? 16 : 0;
  unsigned width = select < 4 ? 8 : select == SEL_DWORD ? 32 : 16;
  return shift | width << 8 | u64(sign) << 16;
}

bool Translator::valu(const llvm::MCInst &mc, const OpcodeInfo &info,
                      std::vector<Inst> &steps) {
  const Operation &op = *info.operation;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  Parts parts = parse(mc);
  bool is_vop3p = desc.TSFlags >> 12 & 1;
  unsigned plain = op.sources - op.tied;
  if (parts.sources.size() < plain)
    return false;
  Inst main;
  main.pc = pc;

  // Results.
  bool mask_only = op.form == Form::vcmp;
  if (mask_only)
    main.sdst = parts.defs.empty()
                    ? scalar_operand(VCC)
                    : register_operand(parts.defs[0].getReg(), steps);
  else {
    if (parts.defs.empty())
      return false;
    main.dst = register_operand(parts.defs[0].getReg(), steps);
    if (op.writes_mask)
      main.sdst = parts.defs.size() > 1
                      ? register_operand(parts.defs[1].getReg(), steps)
                      : scalar_operand(VCC);
  }
  Operand dst = main.dst;
  if (op.condition)
    main.scond = parts.sources.size() > plain
                     ? register_operand(parts.sources[plain].op.getReg(), steps)
                     : scalar_operand(VCC);

  // SDWA and DPP controls.
  llvm::ArrayRef<i64> imms = parts.immediates;
  unsigned select[3] = {SEL_DWORD, SEL_DWORD, SEL_DWORD};
  unsigned dst_select = SEL_DWORD, dst_unused = 0;
  u64 dpp = 0;
  if (info.encoding == Encoding::sdwa) {
    if (imms.size() < plain)
      return false;
    for (unsigned k = 0; k < plain; ++k)
      select[k] = unsigned(imms[imms.size() - plain + k]);
    imms = imms.drop_back(plain);
    if (!mask_only) {
      if (imms.size() < 2)
        return false;
      dst_unused = unsigned(imms.back());
      dst_select = unsigned(imms[imms.size() - 2]);
      imms = imms.drop_back(2);
    }
  } else if (info.encoding == Encoding::dpp) {
    if (imms.size() < 4)
      return false;
    dpp = u64(imms[0]) | u64(imms[1]) << 9 | u64(imms[2]) << 13 |
          u64(imms[3]) << 17;
    imms = {};
  }
  bool clamp = false;
  unsigned omod = 0;
  if (!mask_only &&
      (info.encoding == Encoding::e64 || info.encoding == Encoding::sdwa ||
       info.encoding == Encoding::plain)) {
    clamp = imms.size() > 0 && imms[0] != 0;
    if (is_float(op.result) && !is_vop3p)
      omod = imms.size() > 1 ? unsigned(imms[1]) & 3 : 0;
  }

  // Sources.
  bool dst_high = false;
  for (unsigned k = 0; k < plain; ++k) {
    const Parts::Source &source = parts.sources[k];
    Type type = op.source[k];
    Operand o = source_operand(source.op, main, steps);
    if (op.form == Form::packed32 && o == LITERAL)
      main.imm |= main.imm << 32;
    else if (op.form == Form::packed32 && source.op.isImm()) {
      main.imm = u64(source.op.getImm()) << 32 | u32(source.op.getImm());
      o = LITERAL;
    }
    Operand temp = temp_operand(2 * k);
    bool wide = registers_of(type) == 2;
    unsigned mods = source.mods;
    if (op.form == Form::packed || op.form == Form::packed32 ||
        op.form == Form::mix)
      main.mods |= (mods & 15) << (4 * k);
    else if (is_vop3p) { // dot products: op_sel_hi as it is by default
      if ((mods & 7) != 0)
        return false;
    } else {
      bool sext = info.encoding == Encoding::sdwa && !is_float(type) &&
                  (mods & SRC_SEXT);
      if (info.encoding == Encoding::sdwa && (select[k] != SEL_DWORD || sext)) {
        Inst &s = step(steps, handlers.sdwa);
        s.dst = temp;
        s.src[0] = o;
        if (o == LITERAL)
          s.imm = 0; // SDWA has no literals
        s.imm = sdwa_part(select[k], sext);
        o = temp;
      }
      if (info.encoding == Encoding::dpp && k == 0) {
        Inst &s = step(steps, handlers.dpp);
        s.dst = temp;
        s.src[0] = o;
        s.imm = dpp | u64(wide ? 2 : 1) << 18;
        o = temp;
      }
      if (info.encoding != Encoding::sdwa && (mods & SRC_OP_SEL_0)) {
        if (type == Type::u8 || wide)
          return false;
        Inst &s = step(steps, handlers.upper_half);
        s.dst = temp;
        s.src[0] = o;
        if (o == LITERAL)
          s.imm = main.imm;
        o = temp;
      }
      if (k == 0 && info.encoding != Encoding::sdwa && (mods & SRC_OP_SEL_1))
        dst_high = true;
      if (is_float(type)) {
        if (mods & SRC_NEG)
          main.mods |= mod_neg(k);
        if (mods & SRC_ABS)
          main.mods |= mod_abs(k);
      } else if (mods & (SRC_NEG | SRC_ABS)) {
        if (wide || is_half(type))
          return false;
        Inst &s = step(steps, handlers.modify);
        s.dst = temp;
        s.src[0] = o;
        s.imm = mods & 3;
        if (o == LITERAL)
          return false;
        o = temp;
      }
    }
    main.src[k] = o;
  }
  if (op.tied)
    main.src[plain] = dst;

  // Output.
  Operand temp = temp_operand(6);
  bool finish = false;
  const Handler *fn = op.fn;
  if (op.form == Form::mix)
    main.mods |= clamp ? u32(MOD_CLAMP) : 0;
  else if (clamp && op.saturating[FULL])
    fn = op.saturating;
  else if ((clamp || omod) &&
           (is_float(op.result) || op.form == Form::packed32 ||
            (op.form == Form::packed && op.result == Type::p16)))
    finish = true;
  else if (clamp && !op.writes_mask && op.form == Form::valu &&
           !is_float(op.result))
    return false;
  bool merge = info.encoding == Encoding::sdwa && !mask_only &&
               (dst_select != SEL_DWORD || op.keep_high);
  // With everything on, a DPP step lets all active lanes write.
  bool dpp_masked =
      info.encoding == Encoding::dpp && (dpp >> 9 & 0x1ff) != 0x1ff;
  if (finish || merge || dpp_masked || dst_high)
    main.dst = temp;
  if (dst_high && !is_half(op.result))
    return false;
  std::memcpy(main.fn, fn, sizeof(main.fn));
  steps.push_back(main);

  if (finish) {
    Inst &s = step(steps, handlers.finish);
    s.mods = (clamp ? u32(MOD_CLAMP) : 0) | omod << MOD_OMOD_SHIFT;
    s.imm = u64(op.form == Form::packed     ? Type::p16
                : op.form == Form::packed32 ? Type::u64
                                            : op.result);
    s.src[0] = temp;
    s.sdst = op.keep_high;
    s.dst = merge || dpp_masked || dst_high ? temp : dst;
  }
  if (merge) {
    Inst &s = step(steps, handlers.sdwa_merge);
    s.src[0] = temp;
    s.dst = dst;
    s.imm =
        sdwa_part(dst_select == SEL_DWORD ? unsigned(SEL_WORD_0) : dst_select,
                  false) |
        u64(dst_unused) << 17;
  }
  if (dst_high) {
    Inst &s = step(steps, handlers.insert_half);
    s.src[0] = temp;
    s.dst = dst;
    s.imm = 1;
  }
  if (dpp_masked) {
    if (mask_only)
      return false;
    Inst &s = step(steps, handlers.masked_copy);
    s.src[0] = temp;
    s.dst = dst;
    s.imm = registers_of(op.result);
  }
  if (info.cmpx) {
    Inst &s = step(steps, handlers.set_exec);
    s.src[0] = main.sdst;
  }
  return true;
}

bool Translator::scalar(const llvm::MCInst &mc, const OpcodeInfo &info,
                        std::vector<Inst> &steps) {
  const Operation &op = *info.operation;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  Inst main;
  main.pc = pc;
  unsigned k = 0;
  Operand dst = 0;
  bool writes_exec = false;
  for (unsigned n = 0; n < mc.getNumOperands(); ++n) {
    const llvm::MCOperand &operand = mc.getOperand(n);
    if (n < desc.getNumDefs()) {
      dst = register_operand(operand.getReg(), steps);
      writes_exec =
          dst == scalar_operand(EXEC) || dst == scalar_operand(EXEC + 1);
      if (op.tied)
        main.src[k++] = dst;
      continue;
    }
    if (desc.getOperandConstraint(n, llvm::MCOI::TIED_TO) != -1)
      continue;
    if (k >= op.sources || k >= 3)
      return false;
    if (desc.operands()[n].OperandType == OPERAND_PLAIN_IMMEDIATE) { // SOPK
      main.imm = u64(sign_extend(operand.getImm(), 16));
      main.src[k++] = LITERAL;
    } else {
      main.src[k] = source_operand(operand, main, steps);
      ++k;
    }
  }
  if (k != op.sources)
    return false;
  main.dst = dst;
  std::memcpy(main.fn, op.fn, sizeof(main.fn));
  if (writes_exec && op.writes_exec)
    for (Handler &fn : main.fn)
      fn = op.writes_exec;
  steps.push_back(main);
  return true;
}

bool Translator::memory(const llvm::MCInst &mc, const OpcodeInfo &info,
                        std::vector<Inst> &steps) {
  const Operation &op = *info.operation;
  llvm::StringRef name = info.mnemonic;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  Inst main;
  main.pc = pc;
  llvm::SmallVector<Operand, 4> vectors, scalars;
  llvm::SmallVector<i64, 4> imms;
  bool buffer = name.starts_with("buffer_"), ds = name.starts_with("ds_");
  bool is_load = name.contains("_load_") || name.starts_with("ds_read");
  bool data_first = (name.starts_with("scratch_") || buffer) && !is_load;
  for (unsigned n = 0; n < mc.getNumOperands(); ++n) {
    const llvm::MCOperand &operand = mc.getOperand(n);
    if (n < desc.getNumDefs()) {
      main.dst = register_operand(operand.getReg(), steps);
      continue;
    }
    bool tied = n < desc.getNumOperands() &&
                desc.getOperandConstraint(n, llvm::MCOI::TIED_TO) != -1;
    if (tied &&
        (is_load || !buffer)) // a buffer atomic's data is tied to its result
      continue;
    if (operand.isReg()) {
      if (!operand.getReg())
        continue;
      unsigned encoding =
          disassembler.registers().getEncodingValue(operand.getReg());
      if (ds && !is_vector_register(encoding))
        continue; // M0
      Operand o = register_operand(operand.getReg(), steps);
      (o & ROW ? vectors : scalars).push_back(o);
    } else if (buffer && scalars.size() == 1)
      scalars.push_back(constant_operand(u64(operand.getImm()))); // soffset
    else
      imms.push_back(operand.getImm());
  }
  if (ds && imms.size() >= 2 && imms.back() != 0)
    return false; // gds
  unsigned v = 0;
  if (data_first && !vectors.empty())
    main.src[2] = vectors[v++];
  if (v < vectors.size())
    main.src[0] = vectors[v++];
  if (!data_first && v < vectors.size())
    main.src[2] = vectors[v++];
  if (ds && v < vectors.size())
    main.src[1] = vectors[v++];
  if (v != vectors.size())
    return false;
  i64 offset = imms.empty() ? 0 : imms[0];
  if (buffer) {
    if (scalars.size() != 2 || scalars[1] == LITERAL)
      return false;
    main.sdst = scalars[0];
    main.src[1] = scalars[1];
    main.mods = info.buffer_mode;
  } else if (!ds) {
    if (!scalars.empty())
      main.src[1] = scalars[0];
    offset = sign_extend(offset, 13);
  }
  if (name.starts_with("ds_read2") || name.starts_with("ds_write2")) {
    if (imms.size() < 2)
      return false;
    i64 unit =
        (name.ends_with("b64") ? 8 : 4) * (name.contains("st64") ? 64 : 1);
    offset = imms[0] * unit;
    main.scond = Operand(imms[1] * unit);
  }
  main.imm = u64(offset);
  std::memcpy(main.fn, op.fn, sizeof(main.fn));
  steps.push_back(main);
  return true;
}

bool Translator::special(const llvm::MCInst &mc, const OpcodeInfo &info,
                         std::vector<Inst> &steps, bool &ends_block) {
  const Operation &op = *info.operation;
  llvm::StringRef name = info.mnemonic;
  Parts parts = parse(mc);
  Inst main;
  main.pc = pc;
  std::memcpy(main.fn, op.fn, sizeof(main.fn));
  if (!parts.defs.empty())
    main.dst = register_operand(parts.defs[0].getReg(), steps);
  if (name.starts_with("s_load_") || name.starts_with("s_buffer_load_")) {
    main.src[0] = register_operand(parts.sources[0].op.getReg(), steps);
    if (parts.sources.size() > 1)
      main.src[1] = register_operand(parts.sources[1].op.getReg(), steps);
    // The last immediate is the cache policy.
    main.imm = parts.immediates.size() > 1
                   ? u64(sign_extend(parts.immediates[0], 21))
                   : 0;
  } else if (name == "s_memrealtime")
    main.imm = 1;
  else if (name == "s_setreg_imm32_b32")
    main.imm = (u64(parts.immediates[1]) & 0xffff) | u64(parts.immediates[0])
                                                         << 32;
  else if (name == "s_branch" || name.starts_with("s_cbranch_") ||
           name == "s_call_b64") {
    i64 words = parts.sources.empty() ? parts.immediates.back()
                                      : parts.sources.back().op.getImm();
    main.imm = u64(i64(pc) + 4 + sign_extend(words, 16) * 4);
  } else {
    for (unsigned k = 0; k < parts.sources.size() && k < 3; ++k)
      main.src[k] = source_operand(parts.sources[k].op, main, steps);
    if (!parts.immediates.empty())
      main.imm = u64(parts.immediates[0]);
  }
  if (name == "v_swap_b32") // two results; the sources are tied to them
    main.src[0] = register_operand(parts.defs[1].getReg(), steps);
  if (name.starts_with("ds_") && name != "ds_nop" &&
      parts.immediates.size() > 1 && parts.immediates[1] != 0)
    return false; // gds
  steps.push_back(main);
  ends_block = name == "s_branch" || name == "s_call_b64" ||
               name == "s_setpc_b64" || name == "s_swappc_b64" ||
               name.starts_with("s_endpgm");
  if (name == "s_set_gpr_idx_on")
    index_mode = unsigned(main.imm) & 15;
  else if (name == "s_set_gpr_idx_off")
    index_mode = 0;
  else if (name == "s_set_gpr_idx_mode")
    index_mode = unsigned(main.imm) & 15;
  return true;
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

void Translator::translate(const llvm::MCInst &mc, u32 at, unsigned bytes,
                           std::deque<std::string> &texts,
                           std::vector<Inst> &steps, bool &ends_block) {
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
    if (good && index_mode && info.mnemonic[0] == 'v') {
      if (steps.size() != body + 1)
        good = false;
      else {
        Inst plain = steps.back();
        for (Handler &fn : steps.back().fn)
          fn = handlers.indexed;
        steps.back().imm = index_mode;
        steps.push_back(plain);
      }
    }
    if (good && counting && !ends_block)
      step(steps, handlers.count_divergence);
    // What only waits needs no step: a third of what clang emits.
    if (good && !index_mode && steps.size() == first + 1 &&
        steps.back().fn[SOME] == handlers.skip)
      steps.pop_back();
  }
  if (!good) {
    steps.resize(first);
    Inst &bad = step(steps, handlers.unsupported);
    texts.push_back(disassembler.print(mc, at));
    bad.data = texts.back().c_str();
    ends_block = true;
  }
  for (size_t k = first; k < steps.size(); ++k)
    steps[k].opcode = u16(mc.getOpcode());
}

} // namespace gpuexec::emulator::amdgpu
