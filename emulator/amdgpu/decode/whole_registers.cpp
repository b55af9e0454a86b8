//===-- emulator/amdgpu/decode/whole_registers.cpp - Saving all lanes -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/decode/whole_registers.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/state.h"

namespace gpuexec::emulator::amdgpu {

static bool is(const Inst &inst, OperationId id) {
  return inst.kind == MicroOpKind::operation && inst.operation == id;
}

static bool by_buffer(const Inst &inst) {
  return is(inst, OperationId::buffer_load_dword) ||
         is(inst, OperationId::buffer_store_dword);
}
bool moves_whole_register(const Inst &inst) {
  return (is(inst, OperationId::scratch_load_dword) ||
          is(inst, OperationId::scratch_store_dword) || by_buffer(inst)) &&
         !inst.src[0] && inst.src[1];
}

unsigned whole_registers_at(const Inst *i) {
  const bool of_32_lanes = is(*i, OperationId::s_or_saveexec_b32);
  if ((!of_32_lanes && !is(*i, OperationId::s_or_saveexec_b64)) ||
      i->src[0] != constant_operand(~u64(0)))
    return 0;
  const Operand saved = i->dst;
  const Inst *next = i + 1; // none of these ends a block
  for (;; ++next) {
    if (is(*next, OperationId::s_waitcnt))
      continue;
    if (!moves_whole_register(*next))
      break;
    const auto is_saved = [&](Operand o) {
      return o == saved || (!of_32_lanes && o == saved + 4);
    };
    if (is_saved(next->src[1]) ||
        (by_buffer(*next) &&
         (is_saved(next->sdst) || is_saved(next->sdst + 4))))
      return 0; // the address changes when EXEC is saved
  }
  const bool restores = is(*next, of_32_lanes ? OperationId::s_mov_b32
                                              : OperationId::s_mov_b64) &&
                        next->dst == scalar_operand(EXEC) &&
                        next->variant == Variant::writes_exec &&
                        next->src[0] == saved;
  return restores && next != i + 1 ? unsigned(next - i) + 1 : 0;
}

} // namespace gpuexec::emulator::amdgpu
