//===-- toolchain/passes/fixes/call_generic_functions.cpp -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// C++'s virtual tables are in global memory, and clang 22 takes the addresses
// of functions in them for addresses of global memory, too: it calls a function
// in an address space that has no functions. This pass casts the address to the
// address space of functions.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses
gpuexec::call_generic_functions(Function &function, FunctionAnalysisManager &) {
  const Module &module = *function.getParent();
  PointerType *generic = PointerType::get(
      function.getContext(), module.getDataLayout().getProgramAddressSpace());
  bool changed = false;
  for (Instruction &instruction : instructions(function)) {
    auto *call = dyn_cast<CallBase>(&instruction);
    if (!call || call->getCalledOperand()->getType() == generic)
      continue;
    IRBuilder<> builder(call);
    call->setCalledOperand(
        builder.CreateAddrSpaceCast(call->getCalledOperand(), generic));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
