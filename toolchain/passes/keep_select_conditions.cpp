//===-- keep_select_conditions.cpp - A guard against LLVM 22 --------------===//
// LLVM 22's backend for AMD's GPUs makes of a choice between two addresses in
// the stack (cond ? a : b with arrays of the function's own, or one of an array
// of such pointers) an s_cselect that names the stack's objects themselves.
// Where those become numbers, at the very end, it puts the addition in front of
// the s_cselect, and the addition's carry takes the place of the condition that
// the s_cselect is about to read: the wrong address is chosen. (llvm-project
// pull request 193498 ends it, in LLVM 23.) The same happens to a condition
// that is added to such an address (array + (n > 2)), which becomes an s_addc.
// So here such an address is computed before, in a register of its own, by an
// instruction that LLVM cannot look into.
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

class Addresses {
public:
  bool changed = false;

  /// `value` with every object of the stack in it computed beforehand; what is
  /// made of them (a member, another address space, a vector of addresses) is
  /// made again behind it. `value` itself where there is none.
  Value *in_registers(Value *value) {
    if (auto *object = dyn_cast<AllocaInst>(value))
      return object->isStaticAlloca() ? in_register(*object) : value;
    auto *made = dyn_cast<Instruction>(value);
    if (!made || !(isa<GetElementPtrInst, CastInst, InsertElementInst,
                       FreezeInst, BinaryOperator>(made)))
      return value;
    // Expressions share their parts: each is looked at once.
    if (auto done = seen.find(made); done != seen.end())
      return done->second;
    seen[made] = value; // code that is never reached may name itself
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
    // Behind all objects: what comes between them would no longer be static.
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

/// Could `value` be made of a condition's 0 or 1 in a few steps?
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

/// Sums of something that is_from_condition().
void find_sums(Function &function, SmallVectorImpl<Instruction *> &sums) {
  for (Instruction &instruction : instructions(function))
    if (isa<GetElementPtrInst, BinaryOperator>(instruction) &&
        any_of(instruction.operands(),
               [](const Use &operand) { return is_from_condition(operand); }))
      sums.push_back(&instruction);
}

} // namespace

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
  return addresses.changed ? PreservedAnalyses::none()
                           : PreservedAnalyses::all();
}
