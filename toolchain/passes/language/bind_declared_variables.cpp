//===-- toolchain/passes/language/bind_declared_variables.cpp - No LTO ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// errno, optarg and similar variables belong to a thread
// (bind_own_variables.cpp). Files compiled with -fno-lto are machine code at
// the link, where no pass can change them. So in such a file this pass replaces
// each of these variables that it declares and does not define by a call of its
// function. A file that defines one, for a getopt() of its own, must be the
// only one that uses it.
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
