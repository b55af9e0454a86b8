//===-- toolchain/passes/fixes/keep_flat_pointers.cpp - InferAddressSpaces ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// InferAddressSpaces of LLVM 22 rewrites a phi or select of flat pointers to
// one of pointers in a specific address space. For an operand that is made of
// constants alone (a phi of null, an element of a null pointer) it finds no
// address space, does not rewrite the operand, and leaves the new phi without
// it. The next pass crashes. (llvm/llvm-project pull request 205749 describes
// it.) On AMD our plugin (plugin.cpp) skips InferAddressSpaces for a function
// with such an operand: it runs several times, and later runs mostly find none.
// On NVIDIA it is a part of code generation, which cannot skip it: there this
// pass hides the operand by an annotation intrinsic, which instruction
// selection drops.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace gpuexec {
namespace {

constexpr unsigned AMD_CONSTANT_SPACE = 4;

bool is_flat(const Value &value) {
  const auto *type = dyn_cast<PointerType>(value.getType());
  return type && type->getAddressSpace() == 0;
}

/// Does InferAddressSpaces derive the address space of the flat pointer from
/// those of its operands?
bool is_derived(const Value &value) {
  if (!is_flat(value))
    return false;
  if (const auto *call = dyn_cast<IntrinsicInst>(&value))
    return call->getIntrinsicID() == Intrinsic::ptrmask;
  return isa<PHINode, SelectInst, GetElementPtrInst>(value);
}

template <typename Each> void for_each_pointer(const User &user, Each each) {
  for (const Use &use : user.operands())
    if (is_flat(*use))
      each(*use);
}

/// Is it a constant without a specific address space? NVIDIA's variables get
/// theirs in code generation.
bool is_flat_constant(const Value &value) {
  const auto *constant = dyn_cast<Constant>(&value);
  while (const auto *address = dyn_cast_or_null<GEPOperator>(constant))
    constant = dyn_cast<Constant>(address->getPointerOperand());
  const auto *cast = dyn_cast_or_null<ConstantExpr>(constant);
  return constant && !isa<GlobalVariable>(constant) &&
         !(cast && cast->getOpcode() == Instruction::AddrSpaceCast);
}

/// May the pointer, which is not derived, be in any address space? The address
/// space of a cast is known. LLVM assumes that a kernel's parameters, and
/// pointers loaded from AMD's constant memory, are global.
bool is_anywhere(const Value &value) {
  if (const auto *load = dyn_cast<LoadInst>(&value))
    return load->getPointerAddressSpace() != AMD_CONSTANT_SPACE;
  if (const auto *parameter = dyn_cast<Argument>(&value)) {
    CallingConv::ID convention = parameter->getParent()->getCallingConv();
    return convention != CallingConv::AMDGPU_KERNEL &&
           convention != CallingConv::PTX_Kernel;
  }
  return !isa<AddrSpaceCastInst, Constant>(value);
}

using Pointers = SmallPtrSet<const Value *, 16>;

/// The largest subset of `all` in which each pointer has only operands that are
/// in the subset or for which `keep` is true.
template <typename Keep>
Pointers greatest(const SmallVectorImpl<const Instruction *> &all, Keep keep) {
  Pointers kept(all.begin(), all.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction *pointer : all) {
      bool keeps = kept.contains(pointer);
      for_each_pointer(*pointer, [&](const Value &operand) {
        keeps = keeps && (kept.contains(&operand) || keep(operand));
      });
      changed |= !keeps && kept.erase(pointer);
    }
  }
  return kept;
}

/// The operands that InferAddressSpaces would lose: they get no address space,
/// and the phi or select that uses them may get one.
SmallVector<const Use *> find_lost_operands(const Function &function) {
  SmallVector<const Instruction *, 16> all;
  for (const Instruction &instruction : instructions(function))
    if (is_derived(instruction))
      all.push_back(&instruction);
  const Pointers unplaced = greatest(all, is_flat_constant);
  SmallVector<const Use *> lost;
  if (unplaced.empty())
    return lost;
  const Pointers placed = greatest(all, [](const Value &operand) {
    return !is_derived(operand) && !is_anywhere(operand);
  });
  for (const Value *pointer : unplaced)
    for (const Use &use : pointer->uses())
      if (isa<PHINode, SelectInst>(use.getUser()) &&
          placed.contains(use.getUser()) && !unplaced.contains(use.getUser()))
        lost.push_back(&use);
  return lost;
}

} // namespace

bool loses_pointers(const Function &function) {
  return !find_lost_operands(function).empty();
}

PreservedAnalyses keep_flat_pointers(Function &function,
                                     FunctionAnalysisManager &) {
  SmallVector<Use *> lost;
  for (const Use *use : find_lost_operands(function))
    lost.push_back(const_cast<Use *>(use)); // of `function`, which is not const
  if (lost.empty())
    return PreservedAnalyses::all();
  IRBuilder<> builder(function.getContext());
  Constant *text =
      builder.CreateGlobalString("", "flat", 4, function.getParent());
  auto *null = ConstantPointerNull::get(cast<PointerType>(text->getType()));
  DenseMap<std::pair<Value *, BasicBlock *>, Value *> hidden;
  for (Use *use : lost) {
    auto *user = cast<Instruction>(use->getUser());
    auto *phi = dyn_cast<PHINode>(user);
    builder.SetInsertPoint(phi ? phi->getIncomingBlock(*use)->getTerminator()
                               : user);
    Value *&copy =
        hidden[{use->get(), phi ? builder.GetInsertBlock() : nullptr}];
    if (!copy || !phi)
      copy = builder.CreateIntrinsic(
          Intrinsic::ptr_annotation, {use->get()->getType(), text->getType()},
          {use->get(), text, text, builder.getInt32(0), null});
    use->set(copy);
  }
  PreservedAnalyses preserved;
  preserved.preserveSet<CFGAnalyses>();
  return preserved;
}

} // namespace gpuexec
