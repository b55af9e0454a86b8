//===-- toolchain/passes/share_task_variables.cpp - What tasks share ------===//
// For GPUs clang puts variables that a parallel region shares into memory that
// all threads see. Variables that a region's task shares stay on the stack of
// the lane that makes the task, where no other thread that executes it can see
// them. In functions that make tasks this pass moves each variable whose
// address leaves the function to memory of the runtime's stack for shared
// variables, from the function's beginning to its end.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/moved_variables.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

bool makes_tasks(const Function &function) {
  return any_of(instructions(function), [](const Instruction &instruction) {
    auto *call = dyn_cast<CallInst>(&instruction);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == "__kmpc_omp_task_alloc";
  });
}

/// A call that others do not learn an address from.
bool keeps_address(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  return callee &&
         (callee->isIntrinsic() || callee->getName().starts_with("__kmpc_") ||
          callee->getName().starts_with("__gpuexec_"));
}

/// Is the address, or one computed from it, stored or given to a function?
bool escapes(const Value &address, SmallPtrSetImpl<const Value *> &seen) {
  if (!seen.insert(&address).second)
    return false;
  return any_of(address.users(), [&](const User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() == &address;
    if (auto *call = dyn_cast<CallBase>(user))
      return !keeps_address(*call);
    if (isa<LoadInst>(user) || isa<CmpInst>(user))
      return false;
    return !isa<AddrSpaceCastInst, GetElementPtrInst, PHINode, SelectInst,
                PtrToIntInst>(user) ||
           escapes(*user, seen);
  });
}

FunctionCallee runtime(Module &module, StringRef name, Type *result,
                       ArrayRef<Type *> parameters) {
  return module.getOrInsertFunction(
      name, FunctionType::get(result, parameters, false));
}

void move(AllocaInst &variable) {
  IRBuilder<> builder(&variable);
  Type *word = builder.getInt64Ty();
  Value *size = builder.CreateMul(
      builder.CreateZExtOrTrunc(variable.getArraySize(), word),
      builder.getInt64(variable.getDataLayout().getTypeAllocSize(
          variable.getAllocatedType())));
  Value *memory =
      builder.CreateCall(runtime(*variable.getModule(), "__kmpc_alloc_shared",
                                 builder.getPtrTy(), {word}),
                         {size});
  gpuexec::replace_variable(variable, memory);
}

/// The stack is at the function's end as it was at its beginning.
void restore_stack(Function &function) {
  IRBuilder<> builder(&function.getEntryBlock(),
                      function.getEntryBlock().begin());
  Module &module = *function.getParent();
  Type *word = builder.getInt64Ty(), *pointer = builder.getPtrTy();
  Value *before = builder.CreateCall(
      runtime(module, "__kmpc_alloc_shared", pointer, {word}),
      {builder.getInt64(16)});
  for (BasicBlock &block : function)
    if (auto *end = dyn_cast<ReturnInst>(block.getTerminator())) {
      builder.SetInsertPoint(end);
      builder.CreateCall(runtime(module, "__kmpc_free_shared",
                                 builder.getVoidTy(), {pointer, word}),
                         {before, builder.getInt64(16)});
    }
}

} // namespace

PreservedAnalyses gpuexec::share_task_variables(Function &function,
                                                FunctionAnalysisManager &) {
  if (!makes_tasks(function))
    return PreservedAnalyses::all();
  SmallVector<AllocaInst *> variables;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      SmallPtrSet<const Value *, 8> seen;
      if (escapes(*variable, seen) && gpuexec::can_move(*variable))
        variables.push_back(variable);
    }
  if (variables.empty())
    return PreservedAnalyses::all();
  for (AllocaInst *variable : variables)
    move(*variable);
  restore_stack(function);
  return PreservedAnalyses::none();
}
