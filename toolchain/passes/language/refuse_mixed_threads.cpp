//===-- toolchain/passes/language/refuse_mixed_threads.cpp - Either or ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a program with OpenMP all waves of the grid work for main()'s regions, and
// in a program that creates threads each wave is for one of them. No wave can
// do both. libc-shim/device/thread_hooks.h has the variables that say what a
// program has.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/Module.h>

using namespace llvm;

PreservedAnalyses gpuexec::refuse_mixed_threads(Module &module,
                                                ModuleAnalysisManager &) {
  if (find_variable(module, RuntimeName::threads_of_openmp) &&
      find_variable(module, RuntimeName::threads_of_posix))
    // clang-nvlink-wrapper prints an error of a context and goes on.
    report_fatal_error("the program uses OpenMP and creates threads "
                       "(pthread_create, thrd_create): a grid works for one of "
                       "them",
                       /*gen_crash_diag=*/false);
  return PreservedAnalyses::all();
}
