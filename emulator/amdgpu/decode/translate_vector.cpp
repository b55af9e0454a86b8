//===-- emulator/amdgpu/decode/translate_vector.cpp - Vector arithmetic ---===//
// The operation itself is one micro-op. What an encoding does to its operands
// besides (SDWA's parts, DPP's lanes, modifiers of integers, clamp) is done by
// micro-ops before and after it.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/translate.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <array>
#include <optional>

namespace gpuexec::emulator::amdgpu {

static constexpr Uses rows(unsigned registers) {
  return from_to(reads(File::vector, registers),
                 writes(File::vector, registers));
}
static constexpr Uses one_row_from(File file) {
  return from_to(reads(file, 1), writes(File::vector, 1));
}

static u64 sdwa_part(unsigned select, bool sign) {
  unsigned shift = select < 4 ? 8 * select : select == SEL_WORD_1 ? 16 : 0;
  unsigned width = select < 4 ? 8 : select == SEL_DWORD ? 32 : 16;
  return shift | width << 8 | u64(sign) << 16;
}

namespace {
/// What an encoding says besides operation and operands.
struct Controls {
  std::array<unsigned, 3> select = {SEL_DWORD, SEL_DWORD, SEL_DWORD};
  unsigned dst_select = SEL_DWORD, dst_unused = 0;
  u64 dpp = 0; // as the dpp micro-op's immediate has it
  bool clamp = false;
  unsigned omod = 0;
};
} // namespace

/// Nothing when there are fewer immediates than the encoding has.
static std::optional<Controls> controls_of(llvm::ArrayRef<i64> imms,
                                           const OpcodeInfo &info,
                                           unsigned sources, bool is_vop3p) {
  const Operation &op = *info.operation;
  bool mask_only = op.form == Form::vcmp;
  Controls controls;
  if (info.encoding == Encoding::sdwa) {
    if (imms.size() < sources)
      return std::nullopt;
    for (unsigned k = 0; k < sources; ++k)
      controls.select[k] = unsigned(imms[imms.size() - sources + k]);
    imms = imms.drop_back(sources);
    if (!mask_only) {
      if (imms.size() < 2)
        return std::nullopt;
      controls.dst_unused = unsigned(imms.back());
      controls.dst_select = unsigned(imms[imms.size() - 2]);
      imms = imms.drop_back(2);
    }
  } else if (info.encoding == Encoding::dpp) {
    if (imms.size() < 4)
      return std::nullopt;
    controls.dpp = u64(imms[0]) | u64(imms[1]) << 9 | u64(imms[2]) << 13 |
                   u64(imms[3]) << 17;
    imms = {};
  }
  if (!mask_only &&
      (info.encoding == Encoding::e64 || info.encoding == Encoding::sdwa ||
       info.encoding == Encoding::plain)) {
    controls.clamp = imms.size() > 0 && imms[0] != 0;
    if (is_float(op.result) && !is_vop3p)
      controls.omod = imms.size() > 1 ? unsigned(imms[1]) & 3 : 0;
  }
  return controls;
}

bool Translator::valu(const llvm::MCInst &mc, const OpcodeInfo &info,
                      std::vector<MicroOp> &ops) {
  const Operation &op = *info.operation;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  Parts parts = parse(mc);
  bool is_vop3p = desc.TSFlags >> 12 & 1;
  unsigned plain = op.sources - op.tied;
  if (parts.sources.size() < plain)
    return false;
  MicroOp main = main_op(op);

  // Results.
  bool mask_only = op.form == Form::vcmp;
  if (mask_only)
    main.sdst =
        parts.defs.empty() ? scalar_operand(VCC) : destination(parts.defs[0]);
  else {
    if (parts.defs.empty())
      return false;
    main.dst = destination(parts.defs[0]);
    if (op.writes_mask)
      main.sdst = parts.defs.size() > 1 ? destination(parts.defs[1])
                                        : scalar_operand(VCC);
  }
  Operand dst = main.dst;
  if (op.condition)
    main.scond = parts.sources.size() > plain
                     ? register_operand(parts.sources[plain].op, ops)
                     : scalar_operand(VCC);

  std::optional<Controls> controls =
      controls_of(parts.immediates, info, plain, is_vop3p);
  if (!controls)
    return false;
  auto [select, dst_select, dst_unused, dpp, clamp, omod] = *controls;

  // Sources.
  bool dst_high = false;
  for (unsigned k = 0; k < plain; ++k) {
    const Parts::Source &source = parts.sources[k];
    Type type = op.source[k];
    Operand o = source_operand(source.op, main, ops);
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
        MicroOp &s = ops.emplace_back(
            micro_op(MicroOpKind::sdwa, one_row_from(File::any)));
        s.dst = temp;
        s.src[0] = o;
        if (o == LITERAL)
          s.imm = 0; // SDWA has no literals
        s.imm = sdwa_part(select[k], sext);
        o = temp;
      }
      if (info.encoding == Encoding::dpp && k == 0) {
        MicroOp &s =
            ops.emplace_back(micro_op(MicroOpKind::dpp, rows(wide ? 2 : 1)));
        s.dst = temp;
        s.src[0] = o;
        s.imm = dpp | u64(wide ? 2 : 1) << 18;
        o = temp;
      }
      if (info.encoding != Encoding::sdwa && (mods & SRC_OP_SEL_0)) {
        if (type == Type::u8 || wide)
          return false;
        MicroOp &s = ops.emplace_back(
            micro_op(MicroOpKind::upper_half, one_row_from(File::any)));
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
        MicroOp &s = ops.emplace_back(
            micro_op(MicroOpKind::modify, one_row_from(File::any)));
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
  if (op.form == Form::mix)
    main.mods |= clamp ? u32(MOD_CLAMP) : 0;
  else if (clamp && op.saturates)
    main.variant = Variant::saturating;
  else if ((clamp || omod) &&
           (is_float(op.result) || op.form == Form::packed32 ||
            (op.form == Form::packed && op.result == Type::p16)))
    finish = true;
  else if (clamp && !op.writes_mask && op.form == Form::valu &&
           !is_float(op.result))
    return false;
  bool merge = info.encoding == Encoding::sdwa && !mask_only &&
               (dst_select != SEL_DWORD || op.keep_high);
  // With everything on, DPP lets all active lanes write.
  bool dpp_masked =
      info.encoding == Encoding::dpp && (dpp >> 9 & 0x1ff) != 0x1ff;
  if (finish || merge || dpp_masked || dst_high)
    main.dst = temp;
  if (dst_high && !is_half(op.result))
    return false;
  ops.push_back(main);

  if (finish) {
    MicroOp &s = ops.emplace_back(
        micro_op(MicroOpKind::finish, rows(main.uses.dst.registers)));
    s.mods = (clamp ? u32(MOD_CLAMP) : 0) | omod << MOD_OMOD_SHIFT;
    s.imm = u64(op.form == Form::packed     ? Type::p16
                : op.form == Form::packed32 ? Type::u64
                                            : op.result);
    s.src[0] = temp;
    s.sdst = op.keep_high;
    s.dst = merge || dpp_masked || dst_high ? temp : dst;
  }
  if (merge) {
    MicroOp &s = ops.emplace_back(micro_op(MicroOpKind::sdwa_merge, rows(1)));
    s.src[0] = temp;
    s.dst = dst;
    s.imm =
        sdwa_part(dst_select == SEL_DWORD ? unsigned(SEL_WORD_0) : dst_select,
                  false) |
        u64(dst_unused) << 17;
  }
  if (dst_high) {
    MicroOp &s = ops.emplace_back(micro_op(MicroOpKind::insert_half, rows(1)));
    s.src[0] = temp;
    s.dst = dst;
    s.imm = 1;
  }
  if (dpp_masked) {
    if (mask_only)
      return false;
    MicroOp &s = ops.emplace_back(
        micro_op(MicroOpKind::masked_copy, rows(registers_of(op.result))));
    s.src[0] = temp;
    s.dst = dst;
    s.imm = registers_of(op.result);
  }
  if (info.cmpx) {
    MicroOp &s = ops.emplace_back(
        micro_op(MicroOpKind::set_exec, from_to(reads(File::scalar, 2), {})));
    s.src[0] = main.sdst;
  }
  return true;
}

} // namespace gpuexec::emulator::amdgpu
