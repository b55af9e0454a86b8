//===-- emulator/amdgpu/code_cache/inst_reference.cpp - Names of Insts ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/code_cache/inst_reference.h"

#include "emulator/amdgpu/decode/block_end.h"

#include "llvm/Support/xxhash.h"

namespace gpuexec::emulator::amdgpu::code_cache {

/// What the micro-op does, without anything of this process.
static u64 hash_of(const Inst &inst) {
  const u64 fields[] = {
      u64(inst.kind) << 40 | u64(inst.variant) << 32 | u64(inst.operation),
      u64(u32(inst.dst)) << 32 | u32(inst.src[0]),
      u64(u32(inst.src[1])) << 32 | u32(inst.src[2]),
      u64(u32(inst.sdst)) << 32 | u32(inst.scond),
      u64(inst.mods) << 32 | inst.pc,
      inst.kind == MicroOpKind::operation ? inst.imm : 0,
  };
  return llvm::xxh3_64bits(llvm::ArrayRef(
      reinterpret_cast<const uint8_t *>(fields), sizeof(fields)));
}

InstReference refer_to(Code &code, const Inst *inst) {
  const auto [first, offset] = code.block_of(inst);
  InstReference reference;
  reference.block = u32(offset);
  reference.pc = inst->pc;
  reference.check = hash_of(*inst);
  for (const Inst *i = first; i != inst; ++i)
    reference.index = i->pc == inst->pc ? reference.index + 1 : 0;
  return reference;
}

const Inst *find(Code &code, const InstReference &reference) {
  const Inst *i = code.look_at(code.begin() + reference.block);
  u32 index = 0;
  while (i) {
    if (i->pc == reference.pc && index == reference.index &&
        hash_of(*i) == reference.check)
      return i;
    if (i->kind == MicroOpKind::link) { // to a block that begins behind this
      if (i->imm != i->pc || i->pc > reference.pc)
        return nullptr;
      i = code.look_at(code.begin() + i->imm);
      index = 0;
      continue;
    }
    if (ends_block(*i) || i->pc > reference.pc)
      return nullptr;
    index = i->pc == reference.pc ? index + 1 : 0;
    ++i;
  }
  return nullptr;
}

} // namespace gpuexec::emulator::amdgpu::code_cache
