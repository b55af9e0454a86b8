//===-- toolchain/passes/language/lower_thread_record.cpp - The last step -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Earlier passes add calls that stand for the address of the thread's record
// (shared/thread_record.h), which the optimiser moves and merges. This pass
// replaces them by loads. If they were loads from the beginning, the optimiser
// would have to repeat them after every store.
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
