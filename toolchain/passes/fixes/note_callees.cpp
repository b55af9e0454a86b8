//===-- toolchain/passes/fixes/note_callees.cpp - Whose pointers they are -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks the functions of a program whose address is taken. The C library is
// compiled without this pass: its pointers have the types of their functions.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/callees.h"
#include <llvm/IR/Function.h>

using namespace llvm;

PreservedAnalyses gpuexec::note_callees(Function &function,
                                        FunctionAnalysisManager &) {
  if (!function.hasAddressTaken())
    return PreservedAnalyses::all();
  function.addFnAttr(IS_CALLEE);
  return PreservedAnalyses::none();
}
