//===-- toolchain/passes/language/bind_declared_variables.cpp - No LTO ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// errno, optarg and their like belong to a thread (bind_own_variables.cpp). No
// pass sees machine code at the link (-fno-lto). So each file calls the function
// for those that it declares and does not define. A file that defines them, for
// a getopt() of its own, must be the only one that uses them.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/own_variables.h"
#include "toolchain/passes/shared/runtime.h"

using namespace llvm;

PreservedAnalyses
gpuexec::bind_declared_variables(Module &module, ModuleAnalysisManager &) {
  bool changed = false;
  for (auto &[name, function_name] : OWN_VARIABLE_TABLE) {
    GlobalVariable *variable = module.getGlobalVariable(name);
    if (!variable || !variable->isDeclaration())
      continue;
    FunctionCallee function = module.getOrInsertFunction(
        function_name, PointerType::getUnqual(module.getContext()));
    bind_own_variable(*variable, *cast<Function>(function.getCallee()));
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
