//===-- toolchain/passes/fixes/keep_frame_carries.cpp - Below a variable --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM 22's AMDGPU backend adds a 64-bit number to the generic address of a
// variable on the stack by two instructions, of which the second takes the
// first one's carry. The place of the variable in its frame, known later, is
// added to the number, or by a third instruction: the carry is that of another
// sum. With negative numbers (what a loop from an array's end to its beginning
// makes of array + i - 1) the address is 4 GiB too low.
//
// This pass computes the address of such a variable beforehand, in a register.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/machine_numbers.h"
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace {

struct Numbers {
  explicit Numbers(const TargetSubtargetInfo &target) {
    gpuexec::find_instructions(target, {{"S_ADD_U32", &add},
                                        {"V_ADD_CO_U32_e64", &v_add},
                                        {"S_ADD_I32", &add_signed},
                                        {"S_MOV_B32", &move},
                                        {"S_MOV_B64", &move_64},
                                        {"V_MOV_B32_e32", &v_move}});
    gpuexec::find_registers(target, {{"SCC", &scc}});
  }
  bool is_move(const MachineInstr &instruction) const {
    return is_contained({move, move_64, v_move}, instruction.getOpcode());
  }
  unsigned add = 0, v_add = 0, add_signed = 0;
  unsigned move = 0, move_64 = 0, v_move = 0;
  unsigned scc = 0;
};

/// The additions of one function.
class Additions {
public:
  Additions(MachineFunction &function, const Numbers &numbers)
      : function(function), all(function.getRegInfo()),
        code(*function.getSubtarget().getInstrInfo()), numbers(numbers) {}

  bool keep_carries();

private:
  const MachineOperand &source_of(const MachineOperand &operand) const;
  bool carry_is_used(const MachineInstr &add) const;
  bool is_scc_live(MachineBasicBlock &block,
                   MachineBasicBlock::iterator place) const;
  void compute_before(MachineInstr &add, MachineOperand &operand, int variable);

  MachineFunction &function;
  MachineRegisterInfo &all;
  const TargetInstrInfo &code;
  const Numbers &numbers;
};

// NOLINTBEGIN(bugprone-return-const-ref-from-parameter): no temporaries
/// The constant or the variable of the stack that is the operand's value, or
/// the operand when its value is not known.
const MachineOperand &
Additions::source_of(const MachineOperand &operand) const {
  const MachineOperand *now = &operand;
  unsigned part = 0;
  while (now->isReg() && now->getReg().isVirtual()) {
    if (now->getSubReg()) {
      if (part)
        return operand;
      part = now->getSubReg();
    }
    const MachineInstr *from = all.getUniqueVRegDef(now->getReg());
    const bool copies = from && (from->isCopy() || numbers.is_move(*from));
    // Others need not begin with their result: the text of assembly.
    if (!from || (!copies && !from->isRegSequence()) ||
        from->getOperand(0).getSubReg())
      return operand;
    if (copies) {
      now = &from->getOperand(1);
    } else if (part) {
      unsigned i = 1;
      while (i < from->getNumOperands() &&
             from->getOperand(i + 1).getImm() != part)
        i += 2;
      if (i >= from->getNumOperands())
        return operand;
      now = &from->getOperand(i);
      part = 0;
    } else {
      return operand;
    }
  }
  return *now;
}
// NOLINTEND(bugprone-return-const-ref-from-parameter)

bool Additions::carry_is_used(const MachineInstr &add) const {
  if (add.getOpcode() == numbers.v_add)
    return !all.use_nodbg_empty(add.getOperand(1).getReg());
  return !add.registerDefIsDead(numbers.scc, nullptr);
}

/// Does an instruction from `place` on read the SCC of one before it?
bool Additions::is_scc_live(MachineBasicBlock &block,
                            MachineBasicBlock::iterator place) const {
  for (; place != block.end(); ++place) {
    if (place->readsRegister(numbers.scc, nullptr))
      return true;
    if (place->definesRegister(numbers.scc, nullptr))
      return false;
  }
  return any_of(block.successors(), [&](const MachineBasicBlock *next) {
    return next->isLiveIn(numbers.scc);
  });
}

/// Puts the variable's address into a register, as the operand. An addition of
/// 0 makes it: LLVM would put the variable in the place of a copy again.
void Additions::compute_before(MachineInstr &add, MachineOperand &operand,
                               int variable) {
  MachineBasicBlock &block = *add.getParent();
  MachineBasicBlock::iterator place = add.getIterator();
  while (place != block.begin() && is_scc_live(block, place))
    --place;
  const TargetRegisterClass *wanted = all.getRegClass(
      operand.getSubReg() ? add.getOperand(0).getReg() : operand.getReg());
  const MCInstrDesc &addition = code.get(numbers.add_signed);
  const Register address =
      all.createVirtualRegister(code.getRegClass(addition, 0));
  const Register copy = all.createVirtualRegister(wanted);
  BuildMI(block, place, add.getDebugLoc(), addition, address)
      .addFrameIndex(variable)
      .addImm(0)
      ->addRegisterDead(numbers.scc, all.getTargetRegisterInfo());
  BuildMI(block, add.getIterator(), add.getDebugLoc(),
          code.get(TargetOpcode::COPY), copy)
      .addReg(address);
  operand.setReg(copy);
  operand.setSubReg(0);
  operand.setIsKill(false);
}

bool Additions::keep_carries() {
  bool changed = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &add : make_early_inc_range(block)) {
      const bool vector = add.getOpcode() == numbers.v_add;
      if ((!vector && add.getOpcode() != numbers.add) || !carry_is_used(add))
        continue;
      const unsigned first = vector ? 2 : 1;
      for (unsigned i : {first, first + 1}) {
        const MachineOperand &number =
            source_of(add.getOperand(2 * first + 1 - i));
        const MachineOperand &variable = source_of(add.getOperand(i));
        if (!variable.isFI() || !add.getOperand(i).isReg() ||
            (number.isImm() && isUInt<31>(number.getImm())))
          continue;
        compute_before(add, add.getOperand(i), variable.getIndex());
        changed = true;
      }
    }
  return changed;
}

} // namespace

PreservedAnalyses
gpuexec::keep_frame_carries(MachineFunction &function,
                            MachineFunctionAnalysisManager &) {
  static const Numbers numbers(function.getSubtarget()); // of all AMD GPUs
  return Additions(function, numbers).keep_carries() ? PreservedAnalyses::none()
                                                     : PreservedAnalyses::all();
}
