//===-- toolchain/passes/fixes/keep_spilled_lanes.cpp ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On AMD GPUs LLVM spills scalar registers to the lanes of vector registers. It
// puts an IMPLICIT_DEF of such a vector register where all paths to its writes
// meet, which may be a block of a loop. The register's lanes then seem to have
// no value at the beginning of a round: the fast register allocator of -O0 does
// not keep what the round before has written. If a saved mask of lanes is among
// it, lanes get lost.
//
// This pass moves such an IMPLICIT_DEF to a block above the loop. LLVM 23 puts
// it there (llvm-project#186348).
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/machine_numbers.h"
#include <llvm/ADT/DepthFirstIterator.h>
#include <llvm/CodeGen/MachineDominators.h>
#include <llvm/CodeGen/MachineFunction.h>
#include <llvm/CodeGen/MachineRegisterInfo.h>
#include <llvm/CodeGen/TargetSubtargetInfo.h>

using namespace llvm;

namespace {

/// True if control may come back to the block.
bool is_in_cycle(MachineBasicBlock *block) {
  df_iterator_default_set<MachineBasicBlock *> visited;
  for (MachineBasicBlock *next : block->successors())
    for (MachineBasicBlock *reached : depth_first_ext(next, visited))
      if (reached == block)
        return true;
  return false;
}

/// The nearest block that dominates `block` and is in no cycle.
MachineBasicBlock *above_cycles(MachineBasicBlock *block,
                                MachineDominatorTree &dominators) {
  MachineDomTreeNode *node = dominators.getNode(block);
  while (node && is_in_cycle(node->getBlock()))
    node = node->getIDom();
  return node ? node->getBlock() : block; // unreachable code stays
}

} // namespace

PreservedAnalyses
gpuexec::keep_spilled_lanes(MachineFunction &function,
                            MachineFunctionAnalysisManager &) {
  unsigned spill = 0;
  find_instructions(function.getSubtarget(),
                    {{"SI_SPILL_S32_TO_VGPR", &spill}});
  const MachineRegisterInfo &all = function.getRegInfo();
  SmallVector<MachineInstr *, 8> begins;
  for (MachineBasicBlock &block : function)
    for (MachineInstr &instruction : block)
      if (instruction.isImplicitDef()) {
        const Register lanes = instruction.getOperand(0).getReg();
        if (lanes.isVirtual() &&
            any_of(all.use_instructions(lanes), [&](const MachineInstr &use) {
              return use.getOpcode() == spill;
            }))
          begins.push_back(&instruction);
      }
  if (begins.empty())
    return PreservedAnalyses::all();
  MachineDominatorTree dominators(function);
  bool changed = false;
  for (MachineInstr *begin : begins) {
    MachineBasicBlock *block = begin->getParent(),
                      *above = above_cycles(block, dominators);
    if (above == block)
      continue;
    above->splice(above->SkipPHIsLabelsAndDebug(above->begin()), block, begin);
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
