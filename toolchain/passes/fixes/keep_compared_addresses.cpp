//===-- toolchain/passes/fixes/keep_compared_addresses.cpp ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program computes an address as a number, from the address of a variable and
// a distance, and compares it: a pointer that keeps its target's distance from
// itself, for example. InstCombine of LLVM 22 makes that the address of an
// element of the variable, not "inbounds" because it may be anywhere.
// InferAddressSpaces then computes it in the variable's address space, the
// stack or a block's shared memory, where addresses have 32 bits: the upper
// half of the distance is lost, and the comparison is wrong. This pass makes
// such an address a number again, which InstCombine leaves alone. Pointers that
// are dereferenced are not concerned: InstCombine leaves them numbers.
// InferAddressSpaces runs several times, so the plugin runs this pass before
// each run of it in the optimiser (plugin.cpp), and once before code
// generation, which has one more.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/Utils/Local.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {
namespace {

constexpr unsigned FLAT = 0, SHARED = 3, STACK = 5; // AMD's address spaces

/// May the pointer lead to a variable whose own address has 32 bits?
bool may_be_narrow(const Value *pointer) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects);
  return any_of(objects, [](const Value *object) {
    const unsigned space = object->getType()->getPointerAddressSpace();
    return space == SHARED || space == STACK;
  });
}

bool is_read_as_number(const User *user) {
  return isa<ICmpInst, PtrToIntInst>(user);
}

bool is_concerned(const GetElementPtrInst &address) {
  return address.getType()->isPointerTy() &&
         address.getAddressSpace() == FLAT &&
         !address.hasNoUnsignedSignedWrap() &&
         !address.hasAllConstantIndices() && !address.use_empty() &&
         all_of(address.users(), is_read_as_number) &&
         may_be_narrow(address.getPointerOperand());
}

/// The address as a number, computed in front of the instruction.
Value *as_number(GetElementPtrInst &address) {
  IRBuilder<> builder(&address);
  const DataLayout &layout = address.getDataLayout();
  Type *number = layout.getIntPtrType(address.getType());
  Value *base = builder.CreatePtrToInt(address.getPointerOperand(), number);
  return builder.CreateAdd(base, emitGEPOffset(&builder, layout, &address));
}

void read_as_number(Use &use, Value *number) {
  auto *user = cast<Instruction>(use.getUser());
  if (isa<PtrToIntInst>(user)) {
    IRBuilder<> builder(user);
    user->replaceAllUsesWith(
        builder.CreateZExtOrTrunc(number, user->getType()));
    return;
  }
  // The comparison stays the instruction that it was: analyses know it.
  const unsigned other = 1 - use.getOperandNo();
  IRBuilder<> builder(user);
  Value *beside = user->getOperand(other);
  if (beside->getType()->isPointerTy())
    user->setOperand(other, builder.CreatePtrToInt(beside, number->getType()));
  use.set(number);
}

} // namespace

PreservedAnalyses keep_compared_addresses(Function &function,
                                          FunctionAnalysisManager &) {
  SmallVector<GetElementPtrInst *, 4> concerned;
  for (Instruction &instruction : instructions(function))
    if (auto *address = dyn_cast<GetElementPtrInst>(&instruction))
      if (is_concerned(*address))
        concerned.push_back(address);
  for (GetElementPtrInst *address : concerned) {
    Value *number = as_number(*address);
    SmallVector<Use *, 4> uses;
    for (Use &use : address->uses())
      uses.push_back(&use);
    for (Use *use : uses)
      if (use->get() == address) // both operands may be
        read_as_number(*use, number);
  }
  if (concerned.empty())
    return PreservedAnalyses::all();
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace gpuexec
