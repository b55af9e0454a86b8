//===-- toolchain/passes/keep_recursion_divergent.cpp - Lanes that recurse ===//
// ptxas (12 and 13, sm_75 to sm_120, with -c) takes all values in a function
// for uniform, the same in each lane of a wave, if the function calls itself
// and nothing but itself, and its address is not taken. It then counts a lane's
// loop in a uniform register, which the wave has once: lanes that have parted
// overwrite each other's counter. So a table that nobody reads takes the
// addresses of these functions.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/Constants.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

static bool calls_itself(const Function &function) {
  return any_of(function.users(), [&](const User *user) {
    const auto *call = dyn_cast<CallBase>(user);
    return call && call->getCalledOperand() == &function &&
           call->getFunction() == &function;
  });
}

PreservedAnalyses gpuexec::keep_recursion_divergent(Module &module,
                                                    ModuleAnalysisManager &) {
  constexpr unsigned GLOBAL = 1;
  SmallVector<Constant *> recursive;
  for (Function &function : module)
    if (!function.isDeclaration() && calls_itself(function))
      recursive.push_back(&function);
  if (recursive.empty())
    return PreservedAnalyses::all();
  auto *type = ArrayType::get(PointerType::getUnqual(module.getContext()),
                              recursive.size());
  auto *table = new GlobalVariable(
      module, type, true, GlobalValue::InternalLinkage,
      ConstantArray::get(type, recursive), "__gpuexec_recursive_functions",
      nullptr, GlobalValue::NotThreadLocal, GLOBAL);
  appendToCompilerUsed(module, {table});
  return PreservedAnalyses::none();
}
