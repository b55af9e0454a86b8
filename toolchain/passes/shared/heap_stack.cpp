//===-- toolchain/passes/shared/heap_stack.cpp - See heap_stack.h ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/heap_stack.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;
using gpuexec::RuntimeName;

namespace {

/// Erases `function` if nothing uses it, then functions that only it called.
void erase_unused(Function &function) {
  function.removeDeadConstantUsers();
  if (!function.use_empty() || !function.hasLocalLinkage())
    return;
  SmallVector<WeakVH> called;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (Function *callee = call->getCalledFunction();
          callee && callee != &function)
        called.push_back(callee);
  function.eraseFromParent();
  for (WeakVH &callee : called)
    if (callee)
      erase_unused(*cast<Function>(callee));
}

/// Erases the variable with the limit of recursion if nothing reads it;
/// otherwise keeps it, because the loader writes it.
void release_limit(Module &module) {
  GlobalVariable *limit = find_variable(module, RuntimeName::recursion_limit);
  if (!limit)
    return;
  removeFromUsedLists(module, [&](Constant *used) {
    return used->stripPointerCasts() == limit;
  });
  limit->removeDeadConstantUsers();
  if (limit->use_empty())
    limit->eraseFromParent();
  else
    appendToUsed(module, {limit});
}

} // namespace

void gpuexec::release_heap_stack(Module &module) {
  GlobalVariable *user = find_variable(module, RuntimeName::uses_heap_stack);
  removeFromUsedLists(module, [&](Constant *used) {
    const Value *value = used->stripPointerCasts();
    return value == user || any_of(HEAP_STACK_FUNCTIONS, [&](Runtime function) {
             return value->getName() == name_of(function);
           });
  });
  if (user)
    user->eraseFromParent();
  for (Runtime which : HEAP_STACK_FUNCTIONS)
    if (Function *function = find_runtime(module, which)) {
      // The linker has left the function visible outside the module.
      if (!function->isDeclaration()) {
        function->setVisibility(GlobalValue::DefaultVisibility);
        function->setLinkage(GlobalValue::InternalLinkage);
      }
      erase_unused(*function);
    }
  release_limit(module);
}
