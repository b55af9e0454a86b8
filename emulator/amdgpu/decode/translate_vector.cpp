//===-- emulator/amdgpu/decode/translate_vector.cpp - Vector arithmetic ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The operation itself is one micro-op. Micro-ops before and after it do what
// the encoding adds: SDWA's parts, DPP's lanes, modifiers of integers, clamp.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/decode/dpp.h"
#include "emulator/amdgpu/decode/register_parts.h"
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

namespace {
/// The fields of an encoding besides operation and operands.
struct Controls {
  std::array<unsigned, 3> select = {SDWA_DWORD, SDWA_DWORD, SDWA_DWORD};
  unsigned dst_select = SDWA_DWORD, dst_unused = 0;
  Dpp dpp;
  bool clamp = false;
  unsigned omod = 0;
  unsigned byte = 0; // byte_sel: of a source or a result of 8 bits
};
} // namespace

/// Takes the DPP fields from the end of `imms`; Dpp::registers is not set.
/// nullopt if there are too few immediates.
static std::optional<Dpp> dpp_control(llvm::ArrayRef<i64> imms, bool dpp8,
                                      const Target &target) {
  constexpr i64 DPP8_FETCHES_INACTIVE = 234;
  const unsigned count = dpp8 ? 2 : target.is_rdna() ? 5 : 4;
  if (imms.size() < count)
    return std::nullopt;
  const llvm::ArrayRef<i64> own = imms.take_back(count);
  Dpp dpp;
  dpp.is_dpp8 = dpp8;
  if (dpp8) {
    dpp.lanes = u32(own[0]);
    dpp.fetches_inactive = own[1] == DPP8_FETCHES_INACTIVE;
    return dpp;
  }
  dpp.control = unsigned(own[0]);
  dpp.rows = unsigned(own[1]);
  dpp.banks = unsigned(own[2]);
  dpp.bound_control = own[3];
  dpp.fetches_inactive = count > 4 && own[4];
  return dpp;
}

/// nullopt if there are fewer immediates than the encoding has.
static std::optional<Controls>
controls_of(const llvm::MCInst &mc, llvm::ArrayRef<i64> imms,
            llvm::ArrayRef<unsigned> numbers, const OpcodeInfo &info,
            bool is_vop3p, Disassembler &disassembler) {
  Controls controls;
  if (info.encoding == Encoding::e32)
    return controls;
  if (info.encoding == Encoding::dpp) {
    auto dpp = dpp_control(imms, info.dpp8, disassembler.target());
    if (!dpp)
      return std::nullopt;
    controls.dpp = *dpp;
    if (!info.dpp_e64 && !is_vop3p)
      return controls;
  }
  for (size_t k = 0; k < imms.size(); ++k) {
    const unsigned value = unsigned(imms[k]);
    if (!value && info.encoding != Encoding::sdwa)
      continue; // the control need not be known
    switch (disassembler.control(mc, numbers[k])) {
    case Control::clamp:
      controls.clamp = value;
      break;
    case Control::omod:
      controls.omod = value & 3;
      break;
    case Control::byte_sel:
      controls.byte = value & 3;
      break;
    case Control::dst_sel:
      controls.dst_select = value;
      break;
    case Control::dst_unused:
      controls.dst_unused = value;
      break;
    case Control::src0_sel:
      controls.select[0] = value;
      break;
    case Control::src1_sel:
      controls.select[1] = value;
      break;
    case Control::other:
      break;
    }
  }
  return controls;
}

/// One vector instruction on its way into micro-ops.
struct Translator::Vector {
  const OpcodeInfo &info;
  const Operation &op;
  Parts parts;
  bool is_vop3p;
  bool rdna;      // a result of 16 bits leaves the other half as it was
  unsigned plain; // number of sources without the old destination
  MicroOp main;
  Operand dst = 0;  // the result's register; main.dst may be a temporary
  Operand mask = 0; // destination of the lane mask; see mask_place()
  bool dst_high = false;
  Controls controls = {};

  bool mask_only() const { return op.form == Form::vcmp; }
  bool is_half_result() const {
    return op.form == Form::valu && is_half(op.result);
  }
};

/// The operation with the signs that neg_lo gives to the fields of the first
/// two sources of a dot product (v_dot4_i32_iu8), which are no modifiers then.
const Operation &Translator::signed_fields(const OpcodeInfo &info,
                                           Parts &parts) {
  const llvm::StringRef name = info.mnemonic;
  if (!name.starts_with("v_dot") || !name.contains("_iu") ||
      parts.sources.size() < 2)
    return *info.operation;
  unsigned &first = parts.sources[0].mods, &second = parts.sources[1].mods;
  const std::string signs =
      std::string(first & SRC_NEG ? "0" : "") + (second & SRC_NEG ? "1" : "");
  first &= ~unsigned(SRC_NEG);
  second &= ~unsigned(SRC_NEG);
  return signs.empty() ? *info.operation
                       : *find_operation((name + "_s" + signs).str());
}

bool Translator::valu(const llvm::MCInst &mc, const OpcodeInfo &info,
                      std::vector<MicroOp> &ops) {
  Parts parts = parse(mc);
  const Operation &op = signed_fields(info, parts);
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  Vector v = {info,
              op,
              std::move(parts),
              bool(desc.TSFlags >> 12 & 1),
              target.is_rdna(),
              unsigned(op.sources - op.tied),
              main_op(op)};
  v.main.operation = op.id;
  if (info.relative && v.parts.defs.empty() && !v.parts.sources.empty()) {
    v.parts.defs.push_back(v.parts.sources[0].op); // v_movreld's result
    v.parts.sources.erase(v.parts.sources.begin());
  }
  if (v.parts.sources.size() < v.plain || !vector_results(v, ops))
    return false;
  auto controls = controls_of(mc, v.parts.immediates, v.parts.immediate_at,
                              info, v.is_vop3p, disassembler);
  if (!controls)
    return false;
  v.controls = *controls;
  // gfx9's op_sel names the byte of the result by the bits behind the sources'.
  if (op.result == Type::u8 && !target.is_rdna())
    v.controls.byte = (v.parts.tied_mods & SRC_OP_SEL_0 ? 1 : 0) |
                      (v.parts.sources[0].mods & SRC_OP_SEL_1 ? 2 : 0);
  return valu_from(v, ops);
}

/// A dual instruction (VOPD): both halves read their sources before either
/// writes its result.
bool Translator::dual(const llvm::MCInst &mc, const OpcodeInfo &info,
                      std::vector<MicroOp> &ops) {
  Parts all = parse(mc);
  const Operation *const rows_of[] = {info.operation, info.second};
  if (all.defs.size() != 2)
    return false;
  size_t next = 0, begin[2] = {};
  for (unsigned half = 0; half < 2; ++half) {
    const Operation &op = *rows_of[half];
    const unsigned plain = unsigned(op.sources - op.tied);
    if (all.sources.size() < next + plain || op.form != Form::valu)
      return false;
    Vector v = {info, op, {}, false, true, plain, main_op(op)};
    v.parts.defs.push_back(all.defs[half]);
    for (unsigned k = 0; k < plain; ++k)
      v.parts.sources.push_back(all.sources[next++]);
    v.main.operation = op.id;
    begin[half] = ops.size();
    if (!vector_results(v, ops) || !valu_from(v, ops) ||
        ops.size() != begin[half] + 1)
      return false;
  }
  if (next != all.sources.size())
    return false;
  MicroOp &first = ops[begin[0]];
  const MicroOp &second = ops[begin[1]];
  if (!llvm::is_contained(second.src, first.dst))
    return true;
  const Operation &move = operation(OperationId::v_mov_b32);
  MicroOp late = main_op(move);
  late.operation = move.id;
  late.dst = first.dst;
  late.src[0] = first.dst = temp_operand(8);
  ops.push_back(late);
  return true;
}

bool Translator::valu_from(Vector &v, std::vector<MicroOp> &ops) {
  for (unsigned k = 0; k < v.plain; ++k)
    if (!vector_source(v, k, ops))
      return false;
  if (v.op.tied) {
    v.main.src[v.plain] = v.dst;
    if (v.op.form == Form::packed)
      v.main.mods |= mod_opsel_hi(v.plain);
  }
  return vector_output(v, ops);
}

/// Sets the operands of results, and of the lane mask that is read.
bool Translator::vector_results(Vector &v, std::vector<MicroOp> &ops) {
  const auto &defs = v.parts.defs;
  if (v.mask_only()) {
    v.mask = defs.empty() ? scalar_operand(VCC) : destination(defs[0]);
    v.main.sdst = mask_place(v.mask);
    if (v.rdna && v.info.cmpx) { // writes EXEC alone
      v.mask = slot_operand(SLOT_NOWHERE);
      v.main.sdst = slot_operand(SLOT_LANE_MASK);
    }
  } else {
    if (defs.empty())
      return false;
    v.main.dst = destination(defs[0]);
    v.dst_high = is_high_half(defs[0]);
    if (v.op.writes_mask) {
      v.mask = defs.size() > 1 ? destination(defs[1]) : scalar_operand(VCC);
      v.main.sdst = mask_place(v.mask);
    }
  }
  v.dst = v.main.dst;
  if (target.wave32)
    v.main.uses.scond.registers = 1; // handlers read two, and ignore the second
  if (v.op.condition)
    v.main.scond = v.parts.sources.size() > v.plain
                       ? register_operand(v.parts.sources[v.plain].op, ops)
                       : scalar_operand(VCC);
  return true;
}

/// Sets source k, and adds the micro-ops that change it before the operation
/// reads it.
bool Translator::vector_source(Vector &v, unsigned k,
                               std::vector<MicroOp> &ops) {
  const Parts::Source &source = v.parts.sources[k];
  Operand &o = v.main.src[k];
  o = source_operand(source.op, v.main, ops);
  if (v.is_vop3p && k == 0 && v.info.encoding == Encoding::dpp)
    read_by_dpp(v, ops);
  switch (v.op.form) {
  case Form::packed32:
    if (o == LITERAL)
      v.main.imm |= v.main.imm << 32;
    else if (source.op.isImm()) {
      v.main.imm = u64(source.op.getImm()) << 32 | u32(source.op.getImm());
      o = LITERAL;
    }
    [[fallthrough]];
  case Form::packed:
  case Form::mix:
    if (!v.is_vop3p) { // v_pk_fmac_f16: halves are not chosen
      v.main.mods |= mod_opsel_hi(k);
      return !source.mods && modified_source(v, k, ops);
    }
    if (v.op.form != Form::mix && !v.op.float_parts &&
        (source.mods & (SRC_NEG | SRC_ABS)))
      return false;
    v.main.mods |= (source.mods & 15) << (4 * k);
    return true;
  default:
    // Dot products, with op_sel and op_sel_hi as they are by default.
    if (v.is_vop3p)
      return !(source.mods & 7) &&
             (v.op.source[k] != Type::p16 || source.mods & SRC_OP_SEL_1);
    return modified_source(v, k, ops);
  }
}

/// Adds the micro-op by which lanes read source 0 of others.
void Translator::read_by_dpp(Vector &v, std::vector<MicroOp> &ops) {
  const unsigned registers = registers_of(v.op.source[0]) == 2 ? 2 : 1;
  v.controls.dpp.registers = registers;
  MicroOp &op = ops.emplace_back(micro_op(MicroOpKind::dpp, rows(registers)));
  op.src[0] = v.main.src[0];
  op.imm = v.controls.dpp.pack();
  op.dst = v.main.src[0] = temp_operand(0);
}

bool Translator::modified_source(Vector &v, unsigned k,
                                 std::vector<MicroOp> &ops) {
  Encoding encoding = v.info.encoding;
  unsigned mods = v.parts.sources[k].mods;
  Type type = v.op.source[k];
  bool wide = registers_of(type) == 2;
  Operand &o = v.main.src[k], temp = temp_operand(2 * k);
  auto into_temp = [&](MicroOpKind kind, Uses uses, u64 imm) {
    MicroOp &op = ops.emplace_back(micro_op(kind, uses));
    op.dst = temp;
    op.src[0] = o;
    op.imm = imm;
    o = temp;
  };
  bool sext =
      encoding == Encoding::sdwa && !is_float(type) && (mods & SRC_SEXT);
  // SDWA has no literals.
  if (encoding == Encoding::sdwa &&
      (v.controls.select[k] != SDWA_DWORD || sext))
    into_temp(
        MicroOpKind::sdwa, one_row_from(File::any),
        Sdwa{RegisterPart::selected_by(v.controls.select[k]), sext}.pack());
  if (encoding == Encoding::dpp && k == 0)
    read_by_dpp(v, ops);
  if (type == Type::u8) { // no modifier but the byte's number
    if (mods)
      return false;
    if (v.controls.byte)
      into_temp(MicroOpKind::sdwa, one_row_from(File::any),
                Sdwa{{8 * v.controls.byte, 8}, false}.pack());
    return true;
  }
  if (encoding != Encoding::sdwa && (mods & SRC_OP_SEL_0)) {
    if (wide || type == Type::f32)
      return false;
    into_temp(MicroOpKind::upper_half, one_row_from(File::any),
              o == LITERAL ? v.main.imm : 0);
  }
  if (k == 0 && encoding != Encoding::sdwa && (mods & SRC_OP_SEL_1))
    v.dst_high = v.op.result != Type::u8;
  if (is_float(type)) {
    v.main.mods |= mods & SRC_NEG ? mod_neg(k) : 0;
    v.main.mods |= mods & SRC_ABS ? mod_abs(k) : 0;
  } else if (mods & (SRC_NEG | SRC_ABS)) {
    if (wide || is_half(type) || o == LITERAL)
      return false;
    into_temp(MicroOpKind::modify, one_row_from(File::any),
              SignChange{bool(mods & SRC_NEG), bool(mods & SRC_ABS)}.pack());
  }
  return true;
}

/// Adds the operation, and the micro-ops that change its result.
bool Translator::vector_output(Vector &v, std::vector<MicroOp> &ops) {
  const Operation &op = v.op;
  const Controls &c = v.controls;
  bool finish = false;
  if (op.form == Form::mix)
    v.main.mods |= c.clamp ? u32(MOD_CLAMP) : 0;
  else if (c.clamp && op.saturates)
    v.main.variant = Variant::saturating;
  else if ((c.clamp || c.omod) &&
           (is_float(op.result) || op.float_pair || op.float_parts))
    finish = true;
  else if (c.omod || (c.clamp && !op.writes_mask && !v.mask_only()))
    return false;
  bool merge = v.info.encoding == Encoding::sdwa && !v.mask_only() &&
               (c.dst_select != SDWA_DWORD || op.keep_high);
  const bool is_byte = op.result == Type::u8; // the other bytes are kept
  bool dpp_masked =
      v.info.encoding == Encoding::dpp && !c.dpp.writes_every_lane();
  if ((v.dst_high && !is_half(op.result)) || (dpp_masked && v.mask_only()))
    return false;
  Operand temp = temp_operand(6);
  const bool insert = v.dst_high || (v.is_half_result() && !merge &&
                                     (op.keep_high ? dpp_masked : v.rdna));
  bool more = merge || is_byte || dpp_masked || insert;
  if (finish || more)
    v.main.dst = temp;
  ops.push_back(v.main);

  auto from_temp = [&](MicroOpKind kind, Uses uses, u64 imm) -> MicroOp & {
    MicroOp &after = ops.emplace_back(micro_op(kind, uses));
    after.src[0] = temp;
    after.dst = v.dst;
    after.imm = imm;
    return after;
  };
  if (finish) {
    Type type = op.form == Form::packed     ? Type::p16
                : op.form == Form::packed32 ? Type::u64
                                            : op.result;
    MicroOp &after = from_temp(MicroOpKind::finish,
                               rows(v.main.uses.dst.registers), u64(type));
    after.mods = (c.clamp ? u32(MOD_CLAMP) : 0) | c.omod << MOD_OMOD_SHIFT;
    after.sdst = op.keep_high;
    if (more)
      after.dst = temp;
  }
  if (merge) {
    const unsigned select =
        c.dst_select == SDWA_DWORD ? unsigned(SDWA_WORD_0) : c.dst_select;
    from_temp(
        MicroOpKind::sdwa_merge, rows(1),
        SdwaMerge{RegisterPart::selected_by(select), c.dst_unused}.pack());
  }
  if (is_byte) {
    const u64 part = SdwaMerge{{8 * c.byte, 8}, SdwaMerge::preserve}.pack();
    if (dpp_masked) { // lanes that may not write keep the register
      const Operation &move = operation(OperationId::v_mov_b32);
      MicroOp &old = ops.emplace_back(main_op(move));
      old.operation = move.id;
      old.src[0] = v.dst;
      old.dst = temp_operand(8);
      from_temp(MicroOpKind::sdwa_merge, rows(1), part).dst = old.dst;
      temp = old.dst;
    } else
      from_temp(MicroOpKind::sdwa_merge, rows(1), part);
  }
  if (insert)
    from_temp(MicroOpKind::insert_half, rows(1),
              HalfInsertion{v.dst_high, dpp_masked}.pack());
  else if (dpp_masked)
    from_temp(MicroOpKind::masked_copy, rows(registers_of(op.result)),
              registers_of(op.result));
  if (v.info.cmpx) {
    MicroOp &after = ops.emplace_back(
        micro_op(MicroOpKind::set_exec, from_to(reads(File::scalar, 2), {})));
    after.src[0] = v.main.sdst;
  }
  if (v.mask && !(v.rdna && v.info.cmpx))
    finish_mask(v.mask, ops);
  return true;
}

} // namespace gpuexec::emulator::amdgpu
