//===-- emulator/amdgpu/decode/translate_memory.cpp - Loads and stores ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/decode/translate.h"

#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"

#include <utility>

namespace gpuexec::emulator::amdgpu {

/// LLVM's CPol: offsets in registers count elements. Later processors than the
/// emulated ones have it.
static constexpr i64 SCALE_OFFSET = 1 << 11;

bool Translator::memory(const llvm::MCInst &mc, const OpcodeInfo &info,
                        std::vector<MicroOp> &ops) {
  const Operation &operation = *info.operation;
  const MemoryAccess &access = operation.memory;
  const llvm::MCInstrDesc &desc =
      disassembler.instructions().get(mc.getOpcode());
  MicroOp main = main_op(operation);
  llvm::SmallVector<Operand, 4> vectors, scalars;
  llvm::SmallVector<i64, 4> imms;
  bool buffer = access.space == Space::buffer, ds = access.space == Space::lds,
       scratch = access.space == Space::scratch;
  bool loads = is_load(access.access);
  bool data_first = (scratch || buffer) && !loads;
  for (unsigned n = 0; n < mc.getNumOperands(); ++n) {
    const llvm::MCOperand &operand = mc.getOperand(n);
    if (n < desc.getNumDefs()) {
      main.dst = destination(operand);
      continue;
    }
    bool tied = n < desc.getNumOperands() &&
                desc.getOperandConstraint(n, llvm::MCOI::TIED_TO) != -1;
    if (tied && (loads || !buffer)) // a buffer atomic's data is tied to its
      continue;                     // result
    if (operand.isReg()) {
      if (!operand.getReg())
        continue;
      unsigned encoding =
          disassembler.registers().getEncodingValue(operand.getReg());
      if (ds && !is_vector_register(encoding))
        continue; // M0
      Operand o = register_operand(operand, ops);
      (o & ROW ? vectors : scalars).push_back(o);
    } else if (buffer && scalars.size() == 1)
      scalars.push_back(constant_operand(u64(operand.getImm()))); // soffset
    else
      imms.push_back(operand.getImm());
  }
  if (ds && target.generation < 12 && imms.size() >= 2 && imms.back() != 0)
    return false; // gds
  if (target.generation >= 12 && !imms.empty() && imms.back() & SCALE_OFFSET &&
      !ds)
    return false;
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
  // ds_cmpstore has the new value first, ds_cmpst the expected one.
  if (ds && access.access == Access::atomic && compares(access.atomic) &&
      target.generation >= 11)
    std::swap(main.src[1], main.src[2]);
  i64 offset = imms.empty() ? 0 : imms[0];
  if (buffer) {
    if (scalars.size() != 2 || scalars[1] == LITERAL)
      return false;
    main.sdst = scalars[0];
    main.src[1] = scalars[1];
    main.mods = info.buffer_mode | (target.generation >= 11   ? BUFFER_GFX11
                                    : target.generation == 10 ? BUFFER_GFX10
                                                              : 0);
    unsigned rows = unsigned(__builtin_popcount(info.buffer_mode));
    main.uses.src[0] = rows ? reads(File::vector, rows) : Use{};
    if (!rows && main.src[0])
      return false;
  } else if (!ds) {
    if (scalars.size() > 1)
      return false;
    if (!scalars.empty())
      main.src[1] = scalars[0];
    if (main.src[1] && !scratch)
      main.uses.src[0] = reads(File::vector, 1).optionally();
    const unsigned bits = target.generation >= 12   ? 24
                          : target.generation == 10 ? 12
                                                    : 13;
    offset = sign_extend(offset, bits);
    // The guides: flat instructions have no negative offsets before RDNA 4; the
    // top bit is ignored.
    if (access.space == Space::flat && target.generation < 12)
      offset &= (1 << (bits - 1)) - 1;
  }
  if (access.access == Access::load_two || access.access == Access::store_two) {
    if (imms.size() < 2)
      return false;
    offset = imms[0] * access.unit;
    main.scond = Operand(imms[1] * access.unit);
  }
  main.imm = u64(offset);
  ops.push_back(main);
  return true;
}

bool Translator::scalar_load(const llvm::MCInst &mc, const Operation &operation,
                             std::vector<MicroOp> &ops) {
  Parts parts = parse(mc);
  if (parts.sources.empty())
    return false;
  MicroOp main = main_op(operation);
  if (!parts.defs.empty())
    main.dst = destination(parts.defs[0]);
  main.src[0] = register_operand(parts.sources[0].op, ops);
  if (parts.sources.size() > 1)
    main.src[1] = register_operand(parts.sources[1].op, ops);
  // The last immediate is the cache policy.
  if (target.generation >= 12 && !parts.immediates.empty() &&
      parts.immediates.back() & SCALE_OFFSET)
    return false;
  main.imm = parts.immediates.size() > 1
                 ? u64(sign_extend(parts.immediates[0],
                                   target.generation >= 12 ? 24 : 21))
                 : 0;
  ops.push_back(main);
  return true;
}

} // namespace gpuexec::emulator::amdgpu
