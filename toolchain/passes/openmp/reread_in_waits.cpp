//===-- toolchain/passes/openmp/reread_in_waits.cpp - while (!flag); ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of a warp can wait for each other on NVIDIA's GPUs, because each has
// a place in the program of its own. ptxas lets those that have left a loop
// wait for those that are still in it, so that they go on together. It does not
// where the loop reads volatile or atomic memory. So this pass makes the reads
// of busy waits (shared/busy_waits.h) volatile, where a program relies on
// "omp flush" alone.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/busy_waits.h"
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace {

bool reread(const Loop &loop) {
  bool changed = false;
  for (BasicBlock *block : loop.blocks())
    for (Instruction &instruction : *block)
      if (auto *load = dyn_cast<LoadInst>(&instruction);
          load && load->isSimple() &&
          !isa<AllocaInst>(getUnderlyingObject(load->getPointerOperand()))) {
        load->setVolatile(true);
        changed = true;
      }
  return changed;
}

} // namespace

PreservedAnalyses gpuexec::reread_in_waits(Module &module,
                                           ModuleAnalysisManager &analyses) {
  FunctionAnalysisManager &of_functions =
      analyses.getResult<FunctionAnalysisManagerModuleProxy>(module)
          .getManager();
  bool any = false;
  for (const BusyWait &wait : find_busy_waits(module, of_functions))
    any |=
        reread(*of_functions.getResult<LoopAnalysis>(*wait.header->getParent())
                    .getLoopFor(wait.header));
  return any ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
