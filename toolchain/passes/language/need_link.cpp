//===-- toolchain/passes/language/need_link.cpp - Refused without LTO -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes at the link, where the whole program is known, replace thread-local
// variables, setjmp and longjmp by ordinary code. In machine code made before
// the link (-fno-lto, -S) they are not possible. This pass reports them there
// as errors; otherwise LLVM's backends would crash.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

void report(Module &module, const Twine &what) {
  module.getContext().emitError(
      what + " needs link-time optimisation: compile '" +
      module.getSourceFileName() + "' without -fno-lto and -S");
}

/// Has the function a handler for a type? Those for all types may be clang's
/// own, of functions that promise to throw nothing.
bool catches(const Function &function) {
  for (const Instruction &instruction : instructions(function))
    if (auto *pad = dyn_cast<LandingPadInst>(&instruction))
      for (unsigned i = 0; i < pad->getNumClauses(); ++i)
        if (pad->isCatch(i) && !isa<ConstantPointerNull>(pad->getClause(i)))
          return true;
  return false;
}

} // namespace

PreservedAnalyses gpuexec::need_link(Module &module, ModuleAnalysisManager &) {
  for (GlobalVariable &variable : module.globals()) {
    if (!variable.isThreadLocal())
      continue;
    report(module, "thread-local variable '" + variable.getName() + "'");
    variable.setThreadLocal(false); // the backend would crash
  }
  for (RuntimeGroup jumps :
       {RuntimeGroup::setjmp, RuntimeGroup::sigsetjmp,
        RuntimeGroup::builtin_setjmp, RuntimeGroup::longjmp})
    for (StringRef name : names_of(jumps))
      if (Function *function = module.getFunction(name);
          function && function->isDeclaration() && !function->use_empty())
        report(module, function->getName());
  for (StringRef name : names_of(RuntimeGroup::throws))
    if (Function *function = module.getFunction(name);
        function && !function->use_empty()) {
      report(module, "throw");
      break;
    }
  if (any_of(module, catches))
    report(module, "catch");
  return PreservedAnalyses::none();
}
