//===-- toolchain/passes/fixes/reload_declared_constants.cpp - const ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header may declare a variable const for all files but the one that changes
// it. C calls this undefined; with gcc it works. For AMD clang puts what it
// sees declared so into the address space of constants, where LLVM takes each
// load for one of a value that nobody ever changes. At the link such loads are
// moved and joined across the very stores, also in the file that defines the
// variable. So a declared constant is a variable. A defined one stays a
// constant for all files: at the link LLVM sees the definition. Names with an
// underscore in front are the implementation's: the C library's tables, C++'s
// tables of types.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

bool is_declared_constant(const GlobalVariable &variable) {
  return variable.isDeclaration() && variable.isConstant() &&
         !variable.getName().starts_with("_");
}

/// Declares the variable in the address space of variables.
void move_constant(GlobalVariable &constant, Module &module) {
  auto *variable = new GlobalVariable(
      module, constant.getValueType(), false, constant.getLinkage(), nullptr,
      "", &constant, constant.getThreadLocalMode(),
      module.getDataLayout().getDefaultGlobalsAddressSpace());
  variable->copyAttributesFrom(&constant);
  variable->copyMetadata(&constant, 0);
  variable->takeName(&constant);
  constant.replaceAllUsesWith(ConstantExpr::getPointerBitCastOrAddrSpaceCast(
      variable, constant.getType()));
  constant.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::reload_declared_constants(Module &module,
                                                     ModuleAnalysisManager &) {
  SmallVector<GlobalVariable *> constants;
  for (GlobalVariable &variable : module.globals())
    if (is_declared_constant(variable))
      constants.push_back(&variable);
  for (GlobalVariable *constant : constants)
    if (module.getTargetTriple().isAMDGPU())
      move_constant(*constant, module);
    else
      constant->setConstant(false);
  return constants.empty() ? PreservedAnalyses::all()
                           : PreservedAnalyses::none();
}
