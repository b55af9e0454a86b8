//===-- toolchain/passes/shared/array_reduction.cpp - What clang makes ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/array_reduction.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

/// The size in bytes from which on an array is shared. Smaller ones are in
/// registers (lower_openmp.cpp).
constexpr uint64_t LEAST = gpuexec::OMP_PART + 1;

/// Does clang's combiner use values of its caller? (lower_openmp.cpp,
/// pass_values())
bool needs_caller(const Function &combiner) {
  return any_of(instructions(combiner), [&](const Instruction &instruction) {
    return any_of(instruction.operands(), [&](const Use &use) {
      auto *value = dyn_cast<Instruction>(use.get());
      return value && value->getFunction() != &combiner;
    });
  });
}

/// The operation by which the combiner combines two elements: the only one in
/// it, on two loaded numbers. Null if there is no such operation.
const BinaryOperator *find_operation(const Function &combiner) {
  const BinaryOperator *found = nullptr;
  for (const Instruction &instruction : instructions(combiner))
    if (auto *operation = dyn_cast<BinaryOperator>(&instruction)) {
      if (found || !isa<LoadInst>(operation->getOperand(0)) ||
          !isa<LoadInst>(operation->getOperand(1)))
        return nullptr;
      found = operation;
    }
  return found;
}

/// Is zero the neutral value of the operation?
bool starts_with_zero(Instruction::BinaryOps operation) {
  return operation == Instruction::Add || operation == Instruction::Or ||
         operation == Instruction::Xor;
}

/// Does the pointer go from one element to the next in a loop? Before any other
/// pass the program's own variables are in memory, so a loop with a phi is one
/// that clang has added.
bool walks(const PHINode &pointer) {
  return pointer.getNumIncomingValues() == 2 &&
         any_of(pointer.incoming_values(), [&](const Use &use) {
           auto *next = dyn_cast<GetElementPtrInst>(use.get());
           return next && next->getPointerOperand() == &pointer;
         });
}

/// Finds clang's loops: one that makes the array zero, and one in which the
/// thread with the result reads it.
bool find_loops(gpuexec::ArrayReduction &reduction) {
  SmallVector<Value *> addresses = {reduction.array};
  while (!addresses.empty())
    for (User *user : addresses.pop_back_val()->users()) {
      if (isa<AddrSpaceCastInst, GetElementPtrInst>(user))
        addresses.push_back(user);
      auto *pointer = dyn_cast<PHINode>(user);
      if (!pointer || !walks(*pointer) ||
          is_contained(reduction.copied, pointer))
        continue;
      const bool stores = any_of(pointer->users(), [](const User *use) {
        return isa<StoreInst>(use);
      });
      if (!stores)
        reduction.copied.push_back(pointer);
      else if (reduction.clearing && reduction.clearing != pointer)
        return false;
      else
        reduction.clearing = pointer;
    }
  return reduction.clearing && !reduction.copied.empty();
}

} // namespace

std::optional<gpuexec::ArrayReduction>
gpuexec::read_reduction(CallInst &call) {
  auto *shuffles =
      dyn_cast<Function>(call.getArgOperand(3)->stripPointerCasts());
  const Function *combiner = shuffles ? find_combiner(*shuffles) : nullptr;
  const List list = read_list(call.getArgOperand(2));
  Value *pointer = list.pointers.size() == 1 ? list.pointers.front() : nullptr;
  auto *array =
      pointer ? dyn_cast<AllocaInst>(pointer->stripPointerCasts()) : nullptr;
  auto *type = array ? dyn_cast<ArrayType>(array->getAllocatedType()) : nullptr;
  if (!combiner || !type || needs_caller(*combiner))
    return std::nullopt;
  Type *element = type;
  while (auto *inner = dyn_cast<ArrayType>(element))
    element = inner->getElementType();
  const uint64_t bytes = array->getDataLayout().getTypeAllocSize(type);
  const BinaryOperator *operation = find_operation(*combiner);
  if (!operation || operation->getType() != element ||
      !starts_with_zero(operation->getOpcode()) ||
      (!element->isIntegerTy(32) && !element->isIntegerTy(64)) ||
      bytes < LEAST || bytes > gpuexec::OMP_SHARED)
    return std::nullopt;
  ArrayReduction reduction = {.call = &call,
                              .array = array,
                              .operation = operation->getOpcode(),
                              .element = element,
                              .bytes = bytes,
                              .clearing = nullptr,
                              .copied = {}};
  return find_loops(reduction) ? std::optional(std::move(reduction))
                               : std::nullopt;
}
