//===-- toolchain/passes/language/move_large_variables.cpp - Large arrays -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's compiler refuses frames of more than 128 KiB ('stack frame size exceeds
// limit'), and NVIDIA's driver reserves a program's stack for every thread that
// the device could run at once. So this pass moves large local variables to
// memory in the heap: the function allocates it where it begins and frees it
// where it returns (libc-shim/abi/large_variables.c). In recursive functions it
// moves smaller variables, too.
//
// It runs first in clang, while a variable is used only by its generic address.
// When the function is inlined later, allocation and release move together.
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

/// Variables of at least this many bytes are moved. Accesses then go to global
/// memory, so that smaller variables are faster on the stack.
constexpr uint64_t LARGE = 32 << 10;
/// The limit in a recursive function: a walk over directories has a path of a
/// few KiB in each frame, and NVIDIA's stacks have 64 KiB.
constexpr uint64_t LARGE_IN_RECURSION = 1 << 10;

/// Does the function call itself, directly or through others of its module?
bool is_recursive(const Function &function) {
  SmallPtrSet<const Function *, 16> seen;
  SmallVector<const Function *, 16> callers{&function};
  while (!callers.empty())
    for (const Instruction &instruction : instructions(callers.pop_back_val()))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const Function *called = call->getCalledFunction();
            called && seen.insert(called).second)
          callers.push_back(called);
  return seen.contains(&function);
}

bool move_variables(Function &function) {
  const DataLayout &layout = function.getDataLayout();
  SmallVector<AllocaInst *, 4> large;
  std::optional<bool> recursive; // computed when needed
  uint64_t size = 0;
  Align alignment(16);
  for (Instruction &instruction : instructions(function)) {
    auto *variable = dyn_cast<AllocaInst>(&instruction);
    if (auto *call = dyn_cast<CallInst>(&instruction);
        call && call->isMustTailCall())
      return false; // no release can be added between it and the return
    if (!variable || !variable->isStaticAlloca() ||
        !gpuexec::can_move(*variable))
      continue;
    auto bytes = variable->getAllocationSize(layout);
    if (!bytes || bytes->getFixedValue() < LARGE_IN_RECURSION)
      continue;
    if (bytes->getFixedValue() < LARGE && !recursive)
      recursive = is_recursive(function);
    if (bytes->getFixedValue() >= LARGE || *recursive)
      large.push_back(variable);
  }
  if (large.empty())
    return false;

  SmallVector<uint64_t, 4> offsets;
  for (AllocaInst *variable : large) {
    alignment = std::max(alignment, variable->getAlign());
    size = alignTo(size, variable->getAlign());
    offsets.push_back(size);
    size += variable->getAllocationSize(layout)->getFixedValue();
  }
  Module &module = *function.getParent();
  IRBuilder<> builder(&*function.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  FunctionCallee begin = runtime_function(module, Runtime::begin_variables);
  FunctionCallee end = runtime_function(module, Runtime::end_variables);
  Value *memory = builder.CreateCall(
      begin, {builder.getInt64(size), builder.getInt64(alignment.value())});
  // replace_variable() may erase the instruction before which `builder` adds.
  SmallVector<Value *, 4> places;
  for (uint64_t offset : offsets)
    places.push_back(builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                        memory, offset));
  for (auto [variable, place] : zip_equal(large, places))
    gpuexec::replace_variable(*variable, place);
  for (BasicBlock &block : function)
    if (auto *leaving = dyn_cast<ReturnInst>(block.getTerminator()))
      IRBuilder<>(leaving).CreateCall(end, {memory});
  return true;
}

} // namespace

PreservedAnalyses gpuexec::move_large_variables(Function &function,
                                                FunctionAnalysisManager &) {
  return move_variables(function) ? PreservedAnalyses::none()
                                  : PreservedAnalyses::all();
}
