//===-- toolchain/passes/fixes/break_cycles.cpp - Mutual references -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NVIDIA's backend prints a variable after those to which its initial value
// refers, and fails at a cycle ('Circular dependency found in global variable
// set'): a list whose last element refers to the first, or an element that
// refers to itself. This pass makes each reference that closes a cycle null in
// the image, and adds a constructor, which runs before the program's own, to
// store it.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace {

using Variables = SmallSetVector<GlobalVariable *, 4>;

/// Adds the variables that a constant refers to.
void find_variables(Constant *constant, Variables &found) {
  if (auto *variable = dyn_cast<GlobalVariable>(constant)) {
    found.insert(variable);
    return;
  }
  if (isa<Function>(constant))
    return;
  for (Value *operand : constant->operands())
    if (auto *part = dyn_cast<Constant>(operand))
      find_variables(part, found);
}

/// A depth-first search over variables, which notes the references to a
/// variable that the search has not left yet: without them there is no cycle.
class Walk {
public:
  void visit(GlobalVariable *variable) {
    if (!variable->hasInitializer() || !state.insert({variable, ACTIVE}).second)
      return;
    Variables found;
    find_variables(variable->getInitializer(), found);
    for (GlobalVariable *next : found) {
      auto known = state.find(next);
      if (known == state.end())
        visit(next);
      else if (known->second == ACTIVE)
        closing[variable].insert(next);
    }
    state[variable] = LEFT;
  }

  /// For each variable the references in it that close a cycle.
  MapVector<GlobalVariable *, Variables> closing;

private:
  enum State { ACTIVE, LEFT };
  DenseMap<GlobalVariable *, State> state;
};

/// Removes references from one initial value and adds stores of them at the
/// builder's position.
class Remover {
public:
  Remover(GlobalVariable &variable, const Variables &closing,
          IRBuilder<> &builder)
      : variable(variable), closing(closing), builder(builder) {}

  /// The constant, a part of the initial value at `path`, without references
  /// that close a cycle.
  Constant *without(Constant *constant) {
    auto *all = dyn_cast<ConstantAggregate>(constant);
    if (!all || isa<ConstantVector>(all))
      return refers(constant) ? store(constant) : constant;
    SmallVector<Constant *> parts;
    for (unsigned i = 0; i < all->getNumOperands(); ++i) {
      path.push_back(builder.getInt32(i));
      parts.push_back(without(all->getOperand(i)));
      path.pop_back();
    }
    if (auto *type = dyn_cast<StructType>(all->getType()))
      return ConstantStruct::get(type, parts);
    return ConstantArray::get(cast<ArrayType>(all->getType()), parts);
  }

private:
  bool refers(Constant *constant) const {
    Variables found;
    find_variables(constant, found);
    return any_of(found,
                  [&](GlobalVariable *v) { return closing.contains(v); });
  }

  Constant *store(Constant *constant) {
    builder.CreateStore(
        constant,
        builder.CreateInBoundsGEP(variable.getValueType(), &variable, path));
    return Constant::getNullValue(constant->getType());
  }

  GlobalVariable &variable;
  const Variables &closing;
  IRBuilder<> &builder;
  SmallVector<Value *> path = {builder.getInt32(0)};
};

} // namespace

PreservedAnalyses gpuexec::break_cycles(Module &module,
                                        ModuleAnalysisManager &) {
  Walk walk;
  for (GlobalVariable &variable : module.globals())
    if (!variable.getName().starts_with("llvm."))
      walk.visit(&variable);
  if (walk.closing.empty())
    return PreservedAnalyses::all();
  LLVMContext &context = module.getContext();
  auto *constructor = Function::Create(
      FunctionType::get(Type::getVoidTy(context), false),
      GlobalValue::InternalLinkage, "gpuexec.break_cycles", module);
  IRBuilder<> builder(BasicBlock::Create(context, "", constructor));
  for (auto &[variable, closing] : walk.closing) {
    variable->setInitializer(Remover(*variable, closing, builder)
                                 .without(variable->getInitializer()));
    variable->setConstant(false);
  }
  builder.CreateRetVoid();
  appendToGlobalCtors(module, constructor, 0);
  return PreservedAnalyses::none();
}
