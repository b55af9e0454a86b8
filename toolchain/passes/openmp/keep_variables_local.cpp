//===-- toolchain/passes/openmp/keep_variables_local.cpp - Not on the heap ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When clang compiles OpenMP for GPUs, the runtime allocates memory for each
// local variable whose address is taken: modf(x, &whole) in a loop would call
// the allocator and access global memory. This pass moves these variables back
// to the stack. Later, when the optimiser knows what functions do with an
// address, share_variables moves those whose address may reach another thread.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using gpuexec::Runtime;

namespace {

constexpr Align ALIGNMENT = Align::Constant<16>(); // of the runtime's memory

SmallVector<CallInst *> calls_of(const Function &caller, Runtime callee) {
  SmallVector<CallInst *> calls;
  if (Function *function = find_runtime(*caller.getParent(), callee))
    for (User *user : function->users())
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledFunction() == function &&
          call->getFunction() == &caller)
        calls.push_back(call);
  return calls;
}

/// The calls that free what `allocation` returns.
SmallVector<CallInst *> frees_of(const CallInst &allocation) {
  SmallVector<CallInst *> its;
  for (CallInst *free :
       calls_of(*allocation.getFunction(), Runtime::free_shared))
    if (free->getArgOperand(0)->stripPointerCasts() == &allocation)
      its.push_back(free);
  return its;
}

/// Replaces an allocation by a variable on the stack.
void keep_local(CallInst &allocation) {
  IRBuilder<> builder(&allocation);
  auto *size = dyn_cast<ConstantInt>(allocation.getArgOperand(0));
  Value *mark = nullptr;
  if (size) {
    BasicBlock &entry = allocation.getFunction()->getEntryBlock();
    builder.SetInsertPoint(&entry, entry.begin());
  } else {
    mark = builder.CreateStackSave();
  }
  AllocaInst *variable = builder.CreateAlloca(
      size ? cast<Type>(
                 ArrayType::get(builder.getInt8Ty(), size->getZExtValue()))
           : builder.getInt8Ty(),
      size ? nullptr : allocation.getArgOperand(0));
  variable->setAlignment(ALIGNMENT);
  Value *address = builder.CreateAddrSpaceCast(variable, allocation.getType());
  for (CallInst *free : frees_of(allocation)) {
    if (mark)
      IRBuilder<>(free).CreateStackRestore(mark);
    free->eraseFromParent();
  }
  address->takeName(&allocation);
  allocation.replaceAllUsesWith(address);
  allocation.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::keep_variables_local(Function &function,
                                                FunctionAnalysisManager &) {
  const SmallVector<CallInst *> allocations =
      calls_of(function, Runtime::alloc_shared);
  for (CallInst *allocation : allocations)
    keep_local(*allocation);
  return allocations.empty() ? PreservedAnalyses::all()
                             : PreservedAnalyses::none();
}
