//===-- toolchain/passes/fixes/move_dynamic_variables.cpp - alloca of PTX -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ptxas 13.0 gives a function that allocates memory on the stack while it runs
// (alloca, variable-length arrays) a frame pointer. It may save the register of
// a convergence barrier by that pointer before the pointer is set: the function
// faults at its beginning, or overwrites its caller's frame. Only functions
// with many calls in divergent code save such a register, but no option of
// ptxas prevents it.
//
// So this pass allocates this memory in the heap instead
// (libc-shim/abi/large_variables.c). It is freed where the scope of an array
// ends, where the function returns, and by longjmp (lower_unwinding). This also
// avoids two other bugs of ptxas: an alloca whose size is not a multiple of 16
// misaligns the frames of called functions, and an alloca in a loop returns the
// same memory each time.
//
// alloca(0) takes no memory: all of a function return one address, as LLVM's
// optimiser makes them for other processors.
//
// The pass runs before move_large_variables, whose memory is then allocated
// first and freed last.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/moved_variables.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;
using gpuexec::Runtime;

namespace {

/// The places of a function that the pass changes.
struct Found {
  SmallVector<AllocaInst *, 4> variables;
  SmallVector<IntrinsicInst *, 4> scopes; // llvm.stacksave, llvm.stackrestore
  SmallVector<Instruction *, 4> exits;    // before which memory is freed
};

Found find_variables(Function &function) {
  Found found;
  for (Instruction &instruction : instructions(function)) {
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      if (!variable->isStaticAlloca() && gpuexec::can_move(*variable))
        found.variables.push_back(variable);
    if (auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction))
      if (intrinsic->getIntrinsicID() == Intrinsic::stacksave ||
          intrinsic->getIntrinsicID() == Intrinsic::stackrestore)
        found.scopes.push_back(intrinsic);
    if (isa<ReturnInst>(&instruction)) {
      CallInst *last = instruction.getParent()->getTerminatingMustTailCall();
      found.exits.push_back(last ? last : &instruction);
    }
  }
  return found;
}

/// Replaces all alloca(0) of a function by one at its beginning.
bool join_empty_variables(Function &function) {
  SmallVector<AllocaInst *, 4> empty;
  for (Instruction &instruction : instructions(function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction);
        variable && variable->isArrayAllocation())
      if (auto *size = dyn_cast<ConstantInt>(variable->getArraySize());
          size && size->isZero())
        empty.push_back(variable);
  if (empty.empty())
    return false;
  AllocaInst *first = empty.front();
  first->moveBefore(function.getEntryBlock().getFirstNonPHIIt());
  for (AllocaInst *variable : drop_begin(empty)) {
    first->setAlignment(std::max(first->getAlign(), variable->getAlign()));
    variable->replaceAllUsesWith(first);
    variable->eraseFromParent();
  }
  return true;
}

bool move_variables(Function &function) {
  const bool joined = join_empty_variables(function);
  Found found = find_variables(function);
  if (found.variables.empty())
    return joined;
  Module &module = *function.getParent();
  const DataLayout &layout = module.getDataLayout();
  IRBuilder<> entry(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  FunctionCallee newest = runtime_function(module, Runtime::large_variables);
  FunctionCallee free = runtime_function(module, Runtime::free_large_variables);
  Value *before = entry.CreateCall(newest);
  for (AllocaInst *variable : found.variables) {
    IRBuilder<> builder(variable);
    Value *size =
        builder.CreateMul(builder.CreateZExtOrTrunc(variable->getArraySize(),
                                                    builder.getInt64Ty()),
                          builder.getInt64(layout.getTypeAllocSize(
                              variable->getAllocatedType())));
    const uint64_t alignment =
        std::max<uint64_t>(16, variable->getAlign().value());
    gpuexec::replace_variable(
        *variable, gpuexec::call_runtime(builder, Runtime::begin_variables,
                                         {size, builder.getInt64(alignment)}));
  }
  for (IntrinsicInst *scope : found.scopes) {
    IRBuilder<> builder(scope);
    if (scope->getIntrinsicID() == Intrinsic::stacksave) {
      Value *mark = builder.CreateCall(newest);
      scope->replaceAllUsesWith(
          builder.CreateAddrSpaceCast(mark, scope->getType()));
    } else {
      builder.CreateCall(free,
                         {builder.CreateAddrSpaceCast(scope->getArgOperand(0),
                                                      builder.getPtrTy())});
    }
    scope->eraseFromParent();
  }
  for (Instruction *leaving : found.exits)
    IRBuilder<>(leaving).CreateCall(free, {before});
  return true;
}

} // namespace

PreservedAnalyses gpuexec::move_dynamic_variables(Function &function,
                                                  FunctionAnalysisManager &) {
  return move_variables(function) ? PreservedAnalyses::none()
                                  : PreservedAnalyses::all();
}
