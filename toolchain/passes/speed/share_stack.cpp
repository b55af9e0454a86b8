//===-- toolchain/passes/speed/share_stack.cpp - Variables in one place ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of scopes that are never active together can have the same place in
// a function's frame. LLVM's code generators arrange that by the variables'
// lifetime markers, except the one for PTX, and ptxas does not see variables:
// with LLVM 22 each variable has a place of its own. After inlining frames get
// large: the interpreter of mujs has an array of 256 bytes for each of 50 error
// messages; its frame had 14696 bytes, and its recursion ended at the third
// call on an H100. This pass places such variables together.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/lifetimes.h"
#include <llvm/Analysis/StackLifetime.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

/// A variable and its place in the frame.
struct Slot {
  AllocaInst *variable;
  const StackLifetime::LiveRange *live;
  uint64_t size, offset = 0;
};

/// Gives each slot, large ones first, the lowest offset at which it overlaps no
/// slot that is in use at the same time. Returns the size of the frame.
uint64_t place(MutableArrayRef<Slot> slots) {
  stable_sort(slots,
              [](const Slot &a, const Slot &b) { return a.size > b.size; });
  uint64_t total = 0;
  for (Slot &slot : slots) {
    const Align align = slot.variable->getAlign();
    bool moved = true;
    while (std::exchange(moved, false))
      for (const Slot &other : slots) {
        if (&other == &slot)
          break; // the others have no place yet
        if (slot.offset < other.offset + other.size &&
            other.offset < slot.offset + slot.size &&
            slot.live->overlaps(*other.live)) {
          slot.offset = alignTo(other.offset + other.size, align);
          moved = true;
        }
      }
    total = std::max(total, slot.offset + slot.size);
  }
  return total;
}

/// Removes metadata that says that two accesses do not alias: it was true while
/// they accessed different variables.
void forget_aliasing(Function &function, const AllocaInst *frame) {
  for (Instruction &instruction : instructions(function)) {
    if (!instruction.mayReadOrWriteMemory())
      continue;
    const Value *pointer = getLoadStorePointerOperand(&instruction);
    const Value *object = pointer ? getUnderlyingObject(pointer) : nullptr;
    const bool elsewhere =
        object && object != frame &&
        (isa<AllocaInst>(object) || isa<GlobalValue>(object));
    if (!elsewhere)
      for (unsigned kind :
           {LLVMContext::MD_tbaa, LLVMContext::MD_tbaa_struct,
            LLVMContext::MD_alias_scope, LLVMContext::MD_noalias})
        instruction.setMetadata(kind, nullptr);
  }
}

/// Replaces the variables by parts of one array of `total` bytes, and returns
/// the array.
AllocaInst *replace(Function &function, ArrayRef<Slot> slots, uint64_t total) {
  IRBuilder<> builder(&*function.getEntryBlock().begin());
  Align align(1);
  for (const Slot &slot : slots)
    align = std::max(align, slot.variable->getAlign());
  AllocaInst *frame =
      builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), total),
                           slots[0].variable->getAddressSpace());
  frame->setAlignment(align);
  for (const Slot &slot : slots) {
    for (User *user : make_early_inc_range(slot.variable->users()))
      if (auto *marker = dyn_cast<LifetimeIntrinsic>(user))
        marker->eraseFromParent();
    Value *place = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(),
                                                      frame, slot.offset);
    place->takeName(slot.variable);
    slot.variable->replaceAllUsesWith(place);
  }
  for (const Slot &slot : slots) // not before: the builder is at one of them
    slot.variable->eraseFromParent();
  return frame;
}

} // namespace

PreservedAnalyses gpuexec::share_stack(Function &function,
                                       FunctionAnalysisManager &) {
  const SmallVector<AllocaInst *> variables =
      variables_with_lifetimes(function);
  if (variables.size() < 2)
    return PreservedAnalyses::all();
  SmallVector<const AllocaInst *> seen(variables.begin(), variables.end());
  StackLifetime lifetimes(function, seen, StackLifetime::LivenessType::May);
  lifetimes.run();
  const DataLayout &layout = function.getDataLayout();
  SmallVector<Slot> slots;
  uint64_t apart = 0;
  for (AllocaInst *variable : variables) {
    const std::optional<TypeSize> size = variable->getAllocationSize(layout);
    if (!size || size->isScalable())
      return PreservedAnalyses::all();
    slots.push_back(
        {variable, &lifetimes.getLiveRange(variable), size->getFixedValue()});
    apart += size->getFixedValue();
  }
  const uint64_t total = place(slots);
  if (total >= apart)
    return PreservedAnalyses::all();
  forget_aliasing(function, replace(function, slots, total));
  return PreservedAnalyses::none();
}
