//===-- toolchain/passes/fixes/reload_declared_constants.cpp - const ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A header may declare a variable const for all files but the one that changes
// it. C calls this undefined; with gcc it works. For AMD clang puts a variable
// that is declared const into the address space of constants, where LLVM
// assumes that its value never changes. At the link LLVM moves and joins loads
// of it across stores to it, also in the file that defines it. So this pass
// makes each constant that a file only declares a variable. A constant that is
// defined const stays one for all files, because LLVM sees the definition at
// the link. Names that begin with an underscore belong to the implementation
// (tables of the C library, type information of C++) and are left alone.
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
