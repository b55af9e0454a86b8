//===-- toolchain/passes/language/look_in_loops.cpp - Signals in loops ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing interrupts a GPU thread: it looks by itself whether a signal is to be
// handled, where it waits and in calls of the host. Some loops wait for a
// handler without any of these: they read a volatile variable that the handler
// sets, or have no exit at all. In programs that can have handlers this pass
// makes such loops look in each round. Other loops stay as they are.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using gpuexec::Runtime;

namespace {

/// Does the loop itself, not one inside it, read a volatile variable?
bool reads_volatile(const Loop &loop, const LoopInfo &loops) {
  for (const BasicBlock *block : loop.blocks())
    if (loops.getLoopFor(block) == &loop)
      for (const Instruction &instruction : *block)
        if (auto *load = dyn_cast<LoadInst>(&instruction);
            load && load->isVolatile())
          return true;
  return false;
}

bool has_no_exit(const Loop &loop) {
  SmallVector<BasicBlock *> exits;
  loop.getExitBlocks(exits);
  return exits.empty();
}

/// The headers of the function's loops that are to look.
SmallVector<BasicBlock *> find_headers(Function &function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  SmallVector<BasicBlock *> headers;
  for (const Loop *loop : loops.getLoopsInPreorder())
    if (has_no_exit(*loop) || reads_volatile(*loop, loops))
      headers.push_back(loop->getHeader());
  return headers;
}

/// The functions of the library that look by themselves: they want to know what
/// they have found.
SmallPtrSet<const Function *, 16> functions_that_look(const Module &module) {
  SmallPtrSet<const Function *, 16> found;
  if (const GlobalVariable *variable =
          gpuexec::find_variable(module, gpuexec::RuntimeName::interruption))
    for (const User *user : variable->users())
      if (auto *instruction = dyn_cast<Instruction>(user))
        found.insert(instruction->getFunction());
  return found;
}

} // namespace

PreservedAnalyses gpuexec::look_in_loops(Module &module,
                                         ModuleAnalysisManager &) {
  if (!find_definition(module, Runtime::look_in_loop))
    return PreservedAnalyses::all();
  const auto looking = functions_that_look(module);
  for (Function &function : module) {
    if (function.isDeclaration() || looking.contains(&function))
      continue;
    for (BasicBlock *header : find_headers(function)) {
      IRBuilder<> builder(&*header->getFirstInsertionPt());
      // LLVM refuses a call without a location in a function that has lines.
      if (DISubprogram *place = function.getSubprogram())
        builder.SetCurrentDebugLocation(
            DILocation::get(module.getContext(), 0, 0, place));
      call_runtime(builder, Runtime::look_in_loop);
    }
  }
  return PreservedAnalyses::none();
}
