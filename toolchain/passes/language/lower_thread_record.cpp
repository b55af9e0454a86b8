//===-- toolchain/passes/language/lower_thread_record.cpp - The last step -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes at the link let the optimiser move and merge calls that stand for the
// thread's record (shared/thread_record.h). This pass replaces them. Loads from
// the beginning on would be repeated behind every store.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/thread_record.h"
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::lower_thread_record(Module &module,
                                               ModuleAnalysisManager &) {
  return expand_thread_record(module) ? PreservedAnalyses::none()
                                      : PreservedAnalyses::all();
}
