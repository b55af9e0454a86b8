//===-- toolchain/passes/language/refuse_mixed_threads.cpp - Either or ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In an OpenMP program all waves of the grid execute main()'s parallel regions;
// in a program that creates threads each wave executes one thread. A wave
// cannot do both, so this pass ends the link of a program that does both, with
// an error. A program has one of two variables
// (libc-shim/device/thread_hooks.h) if it uses OpenMP or creates threads.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::refuse_mixed_threads(Module &module,
                                                ModuleAnalysisManager &) {
  if (find_variable(module, RuntimeName::threads_of_openmp) &&
      find_variable(module, RuntimeName::threads_of_posix))
    // Not emitError(): clang-nvlink-wrapper would print the error and go on.
    report_fatal_error("the program uses OpenMP and creates threads "
                       "(pthread_create, thrd_create): a grid works for one of "
                       "them",
                       /*gen_crash_diag=*/false);
  return PreservedAnalyses::all();
}
