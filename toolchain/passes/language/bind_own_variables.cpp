//===-- toolchain/passes/language/bind_own_variables.cpp - extern errno ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has its own errno, optarg and similar variables, but programs use
// them like ordinary variables: <unistd.h> declares optarg as one, and old
// programs declare errno themselves (`extern int errno;`). The C library
// defines each as a variable, beside a reference to the function that returns
// the address of the calling thread's own, so that the linker takes both. At
// the link, this pass replaces the variable's address by the function's result.
// If the program defines such a variable itself, for a getopt() of its own,
// that variable is used everywhere: the pass makes the function return its
// address. (Before the link: bind_declared_variables.cpp.)
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/own_variables.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

/// Makes the function return the address of the program's own variable.
static void give(Function &function, GlobalVariable &variable) {
  function.deleteBody();
  function.setLinkage(GlobalValue::InternalLinkage);
  function.setVisibility(GlobalValue::DefaultVisibility);
  IRBuilder<> builder(BasicBlock::Create(function.getContext(), "", &function));
  builder.CreateRet(builder.CreatePointerBitCastOrAddrSpaceCast(
      &variable, function.getReturnType()));
}

PreservedAnalyses gpuexec::bind_own_variables(Module &module,
                                              ModuleAnalysisManager &) {
  bool changed = false;
  for (auto &[name, function_name] : OWN_VARIABLE_TABLE) {
    GlobalVariable *variable =
        module.getGlobalVariable(name, /*AllowInternal=*/true);
    Function *function = module.getFunction(function_name);
    if (!variable || !function || variable->isDeclaration())
      continue;
    if (variable->getSection() == OWN_VARIABLES) {
      variable->setSection("");
      bind_own_variable(*variable, *function);
    } else {
      give(*function, *variable);
    }
    changed = true;
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
