//===-- toolchain/passes/fixes/announce_callees.cpp - Types of callees ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas takes for the callees of a pointer the functions of the call's type.
// For others, which C programs call as well (void handler() as a handler of
// signals, which get a number), it plans no stack and no registers: they
// overwrite their callers' values. A call through a pointer of the function's
// own type, which is never made, is enough for it to plan.
//
// announce_callees() adds such a call to each kernel for each type of a
// function of the program whose address is taken, if no call has this type, and
// one has the same parameters and more. note_callees() tells the program's
// functions from those of its C library, for which it does not run.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/callees.h"
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace {

using Types = SmallSetVector<FunctionType *, 16>;

Types types_of_indirect_calls(const Module &module) {
  Types types;
  for (const Function &function : module)
    for (const Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && call->isIndirectCall())
        types.insert(call->getFunctionType());
  return types;
}

/// Does a call of type `call` that reaches a function of type `type` give it
/// its arguments and some more?
bool gives_more(FunctionType *call, FunctionType *type) {
  return call->getNumParams() > type->getNumParams() &&
         (call->getReturnType() == type->getReturnType() ||
          call->getReturnType()->isVoidTy()) &&
         equal(type->params(), call->params().take_front(type->getNumParams()));
}

/// Adds to the beginning of a kernel calls, one of each type, that are made if
/// `pointer` is not null.
void add_calls(Function &kernel, GlobalVariable *pointer, const Types &types) {
  Instruction *first = &*kernel.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
  IRBuilder<> builder(first);
  Value *callee =
      builder.CreateLoad(pointer->getValueType(), pointer, /*isVolatile=*/true);
  builder.SetInsertPoint(SplitBlockAndInsertIfThen(
      builder.CreateIsNotNull(callee), first->getIterator(), false));
  for (FunctionType *type : types) {
    SmallVector<Value *> arguments;
    for (Type *parameter : type->params())
      arguments.push_back(Constant::getNullValue(parameter));
    builder.CreateCall(type, callee, arguments);
  }
}

} // namespace

PreservedAnalyses gpuexec::announce_callees(Module &module,
                                            ModuleAnalysisManager &) {
  const Types called = types_of_indirect_calls(module);
  Types missing;
  for (const Function &function : module) {
    FunctionType *type = function.getFunctionType();
    if (!function.isDeclaration() && !called.contains(type) &&
        function.hasFnAttribute(gpuexec::IS_CALLEE) &&
        function.hasAddressTaken() && any_of(called, [&](FunctionType *call) {
          return gives_more(call, type);
        }))
      missing.insert(type);
  }
  if (missing.empty())
    return PreservedAnalyses::all();
  Type *pointer = PointerType::getUnqual(module.getContext());
  auto *never = new GlobalVariable(
      module, pointer, false, GlobalValue::InternalLinkage,
      Constant::getNullValue(pointer), "never_called", nullptr,
      GlobalValue::NotThreadLocal, /*AddressSpace=*/1);
  for (Function &function : module)
    if (function.getCallingConv() == CallingConv::PTX_Kernel &&
        !function.isDeclaration())
      add_calls(function, never, missing);
  return PreservedAnalyses::none();
}
