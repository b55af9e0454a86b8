//===-- toolchain/passes/language/find_recursion.cpp - Before extend_stack ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass at the link cannot add functions of libc.a. So every program links the
// functions to which extend_stack adds calls, and the linker keeps them until
// that pass runs, at the end of the link. This pass runs at the beginning and
// releases them in a program that does not recurse, whose image is then the
// same as without extend_stack.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/call_cycles.h"
#include "toolchain/passes/shared/heap_stack.h"

using namespace llvm;

PreservedAnalyses gpuexec::find_recursion(Module &module,
                                          ModuleAnalysisManager &) {
  if (const CallTargets targets(module, CallTargets::Calls::all);
      !find_call_cycles(module, targets).empty())
    return PreservedAnalyses::all();
  release_heap_stack(module);
  return PreservedAnalyses::none();
}
