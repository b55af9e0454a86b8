//===-- emulator/amdgpu/decode/translate_scalar.cpp - Scalars and control -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/decode/translate.h"

#include "llvm/MC/MCInstrInfo.h"

namespace gpuexec::emulator::amdgpu {

bool Translator::scalar(const llvm::MCInst &mc, const Operation &operation,
                        std::vector<MicroOp> &ops) {
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  MicroOp main = main_op(operation);
  unsigned k = 0;
  Operand dst = 0;
  for (unsigned n = 0; n < mc.getNumOperands(); ++n) {
    const llvm::MCOperand &operand = mc.getOperand(n);
    if (n < desc.getNumDefs()) {
      dst = destination(operand);
      if (operation.tied)
        main.src[k++] = dst;
      continue;
    }
    if (desc.getOperandConstraint(n, llvm::MCOI::TIED_TO) != -1)
      continue;
    // v_s_rcp and its like: source modifiers, clamp and omod, which clang does
    // not use, are not emulated.
    if (desc.operands()[n].OperandType == OPERAND_INPUT_MODS ||
        (k == operation.sources && operand.isImm())) {
      if (operand.getImm() != 0)
        return false;
      continue;
    }
    if (k >= operation.sources || k >= 3)
      return false;
    if (desc.operands()[n].OperandType == OPERAND_PLAIN_IMMEDIATE &&
        operand.isImm()) { // SOPK
      main.imm = u64(sign_extend(operand.getImm(), 16));
      main.src[k++] = LITERAL;
    } else {
      main.src[k] = source_operand(operand, main, ops);
      ++k;
    }
  }
  if (k != operation.sources)
    return false;
  main.dst = dst;
  main.notices_exec = operation.form == Form::saveexec;
  if (writes_exec(main) && operation.form == Form::salu) {
    main.notices_exec = true;
    main.variant = Variant::writes_exec;
  }
  ops.push_back(main);
  return true;
}

/// v_smfmac_*: the operands are A, B and indices, then cbsz and abid; D is C as
/// well. If cbsz is not 0, the first set of indices in the register is used,
/// else abid names the set.
bool Translator::sparse_matrix(const llvm::MCInst &mc,
                               const Operation &operation,
                               std::vector<MicroOp> &ops) {
  const Parts parts = parse(mc);
  if (parts.defs.empty() || parts.sources.size() != 3 ||
      parts.immediates.size() != 2)
    return false;
  MicroOp main = main_op(operation);
  main.dst = destination(parts.defs[0]);
  for (unsigned k = 0; k < 3; ++k)
    main.src[k] = source_operand(parts.sources[k].op, main, ops);
  const unsigned set = 2 * operation.matrix.elements_of_a(); // bits
  const u64 shift = parts.immediates[0] ? 0 : u64(parts.immediates[1]) * set;
  if (shift >= 32)
    return false;
  main.imm = shift;
  ops.push_back(main);
  return true;
}

/// v_mfma_*: the operands are A, B and C, then cbsz, abid and blgp.
bool Translator::matrix(const llvm::MCInst &mc, const Operation &operation,
                        std::vector<MicroOp> &ops) {
  if (operation.matrix.sparse)
    return sparse_matrix(mc, operation, ops);
  const Parts parts = parse(mc);
  if (parts.defs.empty() || parts.sources.size() != 3 ||
      parts.immediates.size() != 3)
    return false;
  MicroOp main = main_op(operation);
  main.dst = destination(parts.defs[0]);
  for (unsigned k = 0; k < 3; ++k)
    main.src[k] = source_operand(parts.sources[k].op, main, ops);
  const MatrixShape &shape = operation.matrix;
  const bool is_double = shape.a == MatrixElement::f64,
             is_narrow = shape.a == MatrixElement::f16 ||
                         shape.a == MatrixElement::bf16,
             is_gfx90a = disassembler.matrices_flush_denormals();
  if (main.src[2] == LITERAL)
    return false;
  if (!(main.src[2] & ROW)) // a constant
    main.uses.src[2] = reads(File::value, is_double ? 2 : 1);
  const u64 cbsz = u64(parts.immediates[0]), abid = u64(parts.immediates[1]),
            blgp = u64(parts.immediates[2]);
  // The guides do not define other values. For f64, blgp means neg on gfx942.
  if (cbsz > 4 || 1u << cbsz > shape.blocks || abid >> cbsz || blgp > 7 ||
      (is_double && (cbsz || (is_gfx90a && blgp))))
    return false;
  main.imm = cbsz | abid << 8 | blgp << 16 |
             (is_narrow && is_gfx90a ? MATRIX_FLUSHES : 0);
  ops.push_back(main);
  return true;
}

bool Translator::special(const llvm::MCInst &mc, const Operation &operation,
                         std::vector<MicroOp> &ops) {
  Parts parts = parse(mc);
  MicroOp main = main_op(operation);
  if (!parts.defs.empty())
    main.dst = destination(parts.defs[0]);
  if (is_direct(operation.terminator)) {
    i64 words;
    if (!parts.sources.empty() && parts.sources.back().op.isImm())
      words = parts.sources.back().op.getImm();
    else if (parts.sources.empty() && !parts.immediates.empty())
      words = parts.immediates.back();
    else
      return false;
    main.imm = u64(i64(pc) + 4 + sign_extend(words, 16) * 4);
  } else if (operation.id == OperationId::s_memrealtime) {
    main.imm = 1;
  } else if (operation.id == OperationId::s_setreg_imm32_b32) {
    if (parts.immediates.size() < 2)
      return false;
    main.imm = (u64(parts.immediates[1]) & 0xffff) | u64(parts.immediates[0])
                                                         << 32;
  } else {
    for (unsigned k = 0; k < parts.sources.size() && k < 3; ++k)
      main.src[k] = source_operand(parts.sources[k].op, main, ops);
    if (!parts.immediates.empty())
      main.imm = u64(parts.immediates[0]);
  }
  if (operation.id == OperationId::v_swap_b32) {
    if (parts.defs.size() < 2) // two results; the sources are tied to them
      return false;
    main.src[0] = destination(parts.defs[1]);
  }
  if (operation.id == OperationId::v_swap_b16) {
    if (parts.defs.size() < 2)
      return false;
    main.src[0] = destination(parts.defs[1]);
    main.mods = (is_high_half(parts.defs[0]) ? u32(MOD_DST_HIGH) : 0) |
                (is_high_half(parts.defs[1]) ? mod_opsel(0) : 0);
  }
  if (operation.id == OperationId::v_permlane16_b32 ||
      operation.id == OperationId::v_permlanex16_b32 ||
      operation.id == OperationId::v_permlane16_var_b32 ||
      operation.id == OperationId::v_permlanex16_var_b32)
    for (unsigned k = 0; k < 2 && k < parts.sources.size(); ++k)
      main.mods |= parts.sources[k].mods & SRC_OP_SEL_0 ? mod_opsel(k) : 0;
  if (operation.instruction_class == InstructionClass::shared_memory &&
      target.generation < 12 && parts.immediates.size() > 1 &&
      parts.immediates[1] != 0)
    return false; // gds
  ops.push_back(main);
  if (operation.id == OperationId::s_set_gpr_idx_on ||
      operation.id == OperationId::s_set_gpr_idx_mode)
    index_mode = unsigned(main.imm) & 15;
  return true;
}

} // namespace gpuexec::emulator::amdgpu
