//===-- toolchain/passes/fixes/keep_select_conditions.cpp - SCC in selects ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM 22's AMDGPU backend translates a choice between two stack addresses
// (cond ? a : b of local arrays, or an element of an array of such pointers) to
// an s_cselect with frame indices as operands. Frame index elimination inserts
// an addition before the s_cselect. Its carry overwrites SCC, which holds the
// condition, and the wrong address is chosen. (Fixed in LLVM 23 by llvm-project
// pull request 193498.) The same happens when a condition is added to such an
// address (array + (n > 2)), which becomes an s_addc, and in a choice between
// two variables on the stack (cond ? m : n), which becomes a load from a chosen
// address. This pass computes such addresses in registers beforehand, by empty
// inline assembly that LLVM cannot see through.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

/// Computes the addresses of stack objects in registers.
class Addresses {
public:
  bool changed = false;

  /// A copy of `value` in which the address of every stack object comes from a
  /// register. Derived values (a member, a cast, a vector of addresses) are
  /// copied too. `value` itself when it uses no stack object.
  Value *in_registers(Value *value) {
    if (auto *object = dyn_cast<AllocaInst>(value))
      return object->isStaticAlloca() ? in_register(*object) : value;
    auto *made = dyn_cast<Instruction>(value);
    if (!made || !(isa<GetElementPtrInst, CastInst, InsertElementInst,
                       FreezeInst, BinaryOperator>(made)))
      return value;
    // Expressions share operands: each is visited once.
    if (auto done = seen.find(made); done != seen.end())
      return done->second;
    seen[made] = value; // an unreachable instruction may use itself
    Instruction *again = nullptr;
    for (unsigned i = 0; i < made->getNumOperands(); ++i) {
      Value *operand = made->getOperand(i);
      Value *other = in_registers(operand);
      if (other == operand)
        continue;
      if (!again) {
        again = made->clone();
        again->insertBefore(made->getIterator());
      }
      again->setOperand(i, other);
    }
    return seen[made] = again ? again : value;
  }

private:
  Value *in_register(AllocaInst &object) {
    Value *&known = registers[&object];
    if (known)
      return known;
    // After all allocas: LLVM takes an alloca after another instruction for a
    // dynamic one.
    BasicBlock &entry = object.getFunction()->getEntryBlock();
    BasicBlock::iterator place = object.getIterator();
    while (isa<AllocaInst>(*place))
      ++place;
    IRBuilder<> builder(&entry, place);
    auto *type = FunctionType::get(object.getType(), {object.getType()}, false);
    known =
        builder.CreateCall(InlineAsm::get(type, "", "=s,0", false), {&object});
    changed = true;
    return known;
  }
  DenseMap<AllocaInst *, Value *> registers;
  DenseMap<Instruction *, Value *> seen;
};

/// May `value` be computed from a condition's 0 or 1 in a few steps?
bool is_from_condition(const Value *value, unsigned steps = 6) {
  if (isa<SelectInst>(value))
    return true;
  const auto *made = dyn_cast<Instruction>(value);
  if (!made || !steps || !isa<CastInst, BinaryOperator, FreezeInst>(made))
    return false;
  return any_of(made->operands(), [&](const Use &operand) {
    return operand->getType()->isIntOrIntVectorTy(1) ||
           is_from_condition(operand, steps - 1);
  });
}

/// Finds additions with an operand for which is_from_condition() is true.
void find_sums(Function &function, SmallVectorImpl<Instruction *> &sums) {
  for (Instruction &instruction : instructions(function))
    if (isa<GetElementPtrInst, BinaryOperator>(instruction) &&
        any_of(instruction.operands(),
               [](const Use &operand) { return is_from_condition(operand); }))
      sums.push_back(&instruction);
}

} // namespace

/// The load if `value` is a load or an extension of one; else null.
static LoadInst *loaded(Value *value) {
  if (isa<ZExtInst, SExtInst>(value))
    value = cast<Instruction>(value)->getOperand(0);
  return dyn_cast<LoadInst>(value);
}

PreservedAnalyses gpuexec::keep_select_conditions(Function &function,
                                                  FunctionAnalysisManager &) {
  SmallVector<Instruction *, 16> choices;
  for (Instruction &instruction : instructions(function))
    if (isa<SelectInst>(instruction) ||
        (isa<ExtractElementInst>(instruction) &&
         !isa<ConstantInt>(instruction.getOperand(1))))
      choices.push_back(&instruction);
  find_sums(function, choices);
  Addresses addresses;
  for (Instruction *choice : choices)
    for (unsigned i = 0; i < choice->getNumOperands(); ++i)
      if (!choice->getOperand(i)->getType()->isIntOrIntVectorTy(1))
        choice->setOperand(i, addresses.in_registers(choice->getOperand(i)));
  for (Instruction *choice : choices)
    if (auto *select = dyn_cast<SelectInst>(choice)) {
      LoadInst *first = loaded(select->getTrueValue());
      LoadInst *second = loaded(select->getFalseValue());
      if (first && second)
        for (LoadInst *load : {first, second})
          load->setOperand(0, addresses.in_registers(load->getOperand(0)));
    }
  return addresses.changed ? PreservedAnalyses::none()
                           : PreservedAnalyses::all();
}
