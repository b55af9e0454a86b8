//===-- toolchain/passes/fixes/keep_scalar_conditions.cpp -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On AMD GPUs LLVM compares 64-bit integers, even if they are the same in all
// lanes, by a vector comparison. An s_and of its result with the mask of lanes
// sets SCC for scalar instructions that need the condition. If a branch needs
// it too, LLVM 22 removes the s_and, which changes nothing but SCC
// (SIPreEmitPeephole), and the scalar instructions read an SCC that another
// instruction has set: a loop of perl does not end.
//
// This pass adds an instruction after such an s_and that sets SCC again.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/machine_numbers.h"
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineInstrBuilder.h>
#include <llvm/CodeGen/TargetInstrInfo.h>
#include <llvm/CodeGen/TargetRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace {

struct Numbers {
  explicit Numbers(const TargetSubtargetInfo &target) {
    gpuexec::find_instructions(target, {{"S_AND_B32", &and_b32},
                                        {"S_AND_B64", &and_b64},
                                        {"S_CMP_LG_U32", &not_zero_u32},
                                        {"S_CMP_LG_U64", &not_zero_u64}});
    gpuexec::find_registers(
        target, {{"SCC", &scc}, {"VCC", &vcc}, {"VCC_LO", &vcc_lo}});
  }
  unsigned and_b32 = 0, and_b64 = 0, not_zero_u32 = 0, not_zero_u64 = 0;
  unsigned scc = 0, vcc = 0, vcc_lo = 0;
};

/// Does a later instruction read the SCC that this one sets?
bool sets_read_scc(const MachineInstr &instruction, unsigned scc) {
  const MachineBasicBlock &block = *instruction.getParent();
  for (auto i = std::next(instruction.getIterator()); i != block.end(); ++i) {
    if (i->readsRegister(scc, nullptr))
      return true;
    if (i->definesRegister(scc, nullptr))
      return false;
  }
  return any_of(block.successors(), [&](const MachineBasicBlock *next) {
    return next->isLiveIn(scc);
  });
}

} // namespace

PreservedAnalyses
gpuexec::keep_scalar_conditions(MachineFunction &function,
                                MachineFunctionAnalysisManager &) {
  const TargetSubtargetInfo &target = function.getSubtarget();
  static const Numbers numbers(target); // the same for all AMD GPUs
  bool changed = false;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &instruction : make_early_inc_range(block)) {
      const bool wide = instruction.getOpcode() == numbers.and_b64;
      if (!wide && instruction.getOpcode() != numbers.and_b32)
        continue;
      const Register result = instruction.getOperand(0).getReg();
      if (result != (wide ? numbers.vcc : numbers.vcc_lo) ||
          !sets_read_scc(instruction, numbers.scc))
        continue;
      BuildMI(block, std::next(instruction.getIterator()),
              instruction.getDebugLoc(),
              target.getInstrInfo()->get(wide ? numbers.not_zero_u64
                                              : numbers.not_zero_u32))
          .addReg(result)
          .addImm(0);
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
