//===-- toolchain/passes/fixes/copy_whole_registers.cpp -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RDNA 3 has 16-bit registers, the halves of its vector registers. For
// __builtin_bswap64 LLVM 22 selects two instructions that need the 32-bit
// halves of the operand. It copies each half into a 16-bit register and from
// there into a 32-bit one. Unless the copies are coalesced with their source
// (they are not at -O0), the upper 16 bits are lost.
//
// This pass makes the second copy read the source of the first one.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace {

/// The size of a virtual register, or of the part of it that an operand names.
unsigned bits_of(const MachineOperand &operand, const MachineRegisterInfo &all,
                 const TargetRegisterInfo &target) {
  const unsigned part = operand.getSubReg();
  return part ? target.getSubRegIdxSize(part)
              : target.getRegSizeInBits(operand.getReg(), all).getFixedValue();
}
bool is_virtual(const MachineOperand &operand) {
  return operand.isReg() && operand.getReg().isVirtual();
}

/// If `copy` reads a register that is narrower than its result, and that a
/// first copy has filled from a register as wide as the result: that wide
/// register. Otherwise null.
const MachineOperand *whole_source(const MachineInstr &copy,
                                   const MachineRegisterInfo &all,
                                   const TargetRegisterInfo &target) {
  if (!copy.isCopy() || !is_virtual(copy.getOperand(0)) ||
      !is_virtual(copy.getOperand(1)) || copy.getOperand(1).getSubReg())
    return nullptr;
  const MachineInstr *first = all.getUniqueVRegDef(copy.getOperand(1).getReg());
  if (!first || !first->isCopy() || first->getOperand(0).getSubReg() ||
      !is_virtual(first->getOperand(1)))
    return nullptr;
  const MachineOperand &source = first->getOperand(1);
  const unsigned wanted = bits_of(copy.getOperand(0), all, target);
  return bits_of(first->getOperand(0), all, target) < wanted &&
                 bits_of(source, all, target) == wanted
             ? &source
             : nullptr;
}

} // namespace

PreservedAnalyses
gpuexec::copy_whole_registers(MachineFunction &function,
                              MachineFunctionAnalysisManager &) {
  MachineRegisterInfo &all = function.getRegInfo();
  const TargetRegisterInfo &target = *function.getSubtarget().getRegisterInfo();
  bool changed = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &copy : block)
      if (const MachineOperand *source = whole_source(copy, all, target)) {
        copy.getOperand(1).setReg(source->getReg());
        copy.getOperand(1).setSubReg(source->getSubReg());
        copy.getOperand(1).setIsKill(false);
        all.clearKillFlags(source->getReg());
        changed = true;
      }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
