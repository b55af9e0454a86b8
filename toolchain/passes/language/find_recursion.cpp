//===-- toolchain/passes/language/find_recursion.cpp - Before extend_stack ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// First at the link. Passes at the link cannot take functions from libc.a, so
// every program links those that extend_stack calls, which runs last, and the
// linker keeps them for it. This pass releases them in a program that does not
// recurse: its image is then the same as without the pass extend_stack.
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
