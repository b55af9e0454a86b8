//===-- emulator/amdgpu/translate_rest.cpp - Scalars, memory, control -----===//
#include "emulator/amdgpu/translate.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <cstring>

namespace gpuexec::emulator::amdgpu {

bool Translator::scalar(const llvm::MCInst &mc, const OpcodeInfo &info,
                        std::vector<Step> &steps) {
  const Operation &op = *info.operation;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  Step main;
  main.pc = pc;
  main.uses = op.uses;
  unsigned k = 0;
  Operand dst = 0;
  for (unsigned n = 0; n < mc.getNumOperands(); ++n) {
    const llvm::MCOperand &operand = mc.getOperand(n);
    if (n < desc.getNumDefs()) {
      dst = destination(operand);
      if (op.tied)
        main.src[k++] = dst;
      continue;
    }
    if (desc.getOperandConstraint(n, llvm::MCOI::TIED_TO) != -1)
      continue;
    if (k >= op.sources || k >= 3)
      return false;
    if (desc.operands()[n].OperandType == OPERAND_PLAIN_IMMEDIATE &&
        operand.isImm()) { // SOPK
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
  main.notices_exec = op.form == Form::saveexec;
  if (writes_exec(main) && op.writes_exec) {
    main.notices_exec = true;
    for (Handler &fn : main.fn)
      fn = op.writes_exec;
  }
  steps.push_back(main);
  return true;
}

bool Translator::memory(const llvm::MCInst &mc, const OpcodeInfo &info,
                        std::vector<Step> &steps) {
  const Operation &op = *info.operation;
  llvm::StringRef name = info.mnemonic;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  Step main;
  main.pc = pc;
  main.uses = op.uses;
  llvm::SmallVector<Operand, 4> vectors, scalars;
  llvm::SmallVector<i64, 4> imms;
  bool buffer = name.starts_with("buffer_"), ds = name.starts_with("ds_");
  bool is_load = name.contains("_load_") || name.starts_with("ds_read");
  bool data_first = (name.starts_with("scratch_") || buffer) && !is_load;
  for (unsigned n = 0; n < mc.getNumOperands(); ++n) {
    const llvm::MCOperand &operand = mc.getOperand(n);
    if (n < desc.getNumDefs()) {
      main.dst = destination(operand);
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
      Operand o = register_operand(operand, steps);
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
    unsigned rows = unsigned(__builtin_popcount(info.buffer_mode));
    main.uses.src[0] = rows ? reads(File::vector, rows) : Use{};
    if (!rows && main.src[0])
      return false;
  } else if (!ds) {
    if (scalars.size() > 1)
      return false;
    if (!scalars.empty())
      main.src[1] = scalars[0];
    if (main.src[1] && !name.starts_with("scratch_"))
      main.uses.src[0] = reads(File::vector, 1).optionally();
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
                         std::vector<Step> &steps, bool &ends_block) {
  const Operation &op = *info.operation;
  llvm::StringRef name = info.mnemonic;
  Parts parts = parse(mc);
  Step main;
  main.pc = pc;
  main.uses = op.uses;
  std::memcpy(main.fn, op.fn, sizeof(main.fn));
  if (!parts.defs.empty())
    main.dst = destination(parts.defs[0]);
  if (name.starts_with("s_load_") || name.starts_with("s_buffer_load_")) {
    if (parts.sources.empty())
      return false;
    main.src[0] = register_operand(parts.sources[0].op, steps);
    if (parts.sources.size() > 1)
      main.src[1] = register_operand(parts.sources[1].op, steps);
    // The last immediate is the cache policy.
    main.imm = parts.immediates.size() > 1
                   ? u64(sign_extend(parts.immediates[0], 21))
                   : 0;
  } else if (name == "s_memrealtime")
    main.imm = 1;
  else if (name == "s_setreg_imm32_b32") {
    if (parts.immediates.size() < 2)
      return false;
    main.imm = (u64(parts.immediates[1]) & 0xffff) | u64(parts.immediates[0])
                                                         << 32;
  } else if (name == "s_branch" || name.starts_with("s_cbranch_") ||
             name == "s_call_b64") {
    i64 words;
    if (!parts.sources.empty() && parts.sources.back().op.isImm())
      words = parts.sources.back().op.getImm();
    else if (parts.sources.empty() && !parts.immediates.empty())
      words = parts.immediates.back();
    else
      return false;
    main.imm = u64(i64(pc) + 4 + sign_extend(words, 16) * 4);
  } else {
    for (unsigned k = 0; k < parts.sources.size() && k < 3; ++k)
      main.src[k] = source_operand(parts.sources[k].op, main, steps);
    if (!parts.immediates.empty())
      main.imm = u64(parts.immediates[0]);
  }
  if (name == "v_swap_b32") { // two results; the sources are tied to them
    if (parts.defs.size() < 2)
      return false;
    main.src[0] = destination(parts.defs[1]);
  }
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

} // namespace gpuexec::emulator::amdgpu
