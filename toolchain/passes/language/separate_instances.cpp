//===-- toolchain/passes/language/separate_instances.cpp - -fensemble -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In a program of an ensemble (gpucc -fensemble) each wave is an instance: it
// calls main with its own arguments. This pass makes every variable that can
// change thread-local, those of the C library too, so that each instance has
// its own; lower_thread_locals, which runs later, lays them out. Variables that
// the instances share, such as the heap's, are in the section
// gpuexec.shared; so are those that the loader finds by name.
//
// An initial value cannot have the address of a thread-local variable: a
// function that each instance calls first stores these addresses.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/runtime.h"
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;
using gpuexec::RuntimeName;

namespace {

constexpr StringLiteral SHARED = "gpuexec.shared"; // libc-shim/device/shared.h

using Variables = SmallSetVector<GlobalVariable *, 32>;

/// Variables that somebody outside of the program knows by name.
SmallPtrSet<GlobalValue *, 16> known_outside(const Module &module) {
  SmallVector<GlobalValue *, 16> used;
  collectUsedGlobalVariables(module, used, /*CompilerUsed=*/false);
  return {used.begin(), used.end()};
}

/// Gives the program another variable in the place of one that the loader
/// finds by name and fills in: each instance has its own mailbox.
void copy_for_program(Module &module, RuntimeName name) {
  GlobalVariable *original = gpuexec::find_variable(module, name);
  if (!original || original->isDeclaration())
    return;
  auto *copy = new GlobalVariable(
      module, original->getValueType(), false, GlobalValue::InternalLinkage,
      Constant::getNullValue(original->getValueType()),
      original->getName() + ".instance", nullptr, GlobalValue::NotThreadLocal,
      original->getAddressSpace());
  copy->setAlignment(original->getAlign());
  original->replaceAllUsesWith(copy);
  removeFromUsedLists(module, [&](Constant *used) {
    return used->stripPointerCasts() == copy;
  });
  appendToUsed(module, {original});
}

Variables find_variables(Module &module) {
  const SmallPtrSet<GlobalValue *, 16> outside = known_outside(module);
  Variables found;
  for (GlobalVariable &variable : module.globals()) {
    const bool is_global_memory = variable.getAddressSpace() <= 1;
    if (variable.isDeclaration() || variable.isConstant() ||
        variable.isThreadLocal() || !is_global_memory ||
        variable.hasAppendingLinkage() || variable.getSection() == SHARED ||
        variable.getName().starts_with("llvm.") || outside.count(&variable))
      continue;
    found.insert(&variable);
  }
  return found;
}

/// True if the constant has the address of one of the variables.
bool refers_to(const Constant *constant, const Variables &variables) {
  if (const auto *variable = dyn_cast<GlobalVariable>(constant))
    return variables.contains(const_cast<GlobalVariable *>(variable));
  if (isa<GlobalValue>(constant))
    return false;
  return any_of(constant->operands(), [&](const Use &use) {
    const auto *part = dyn_cast<Constant>(use.get());
    return part && refers_to(part, variables);
  });
}

/// Constants with such addresses differ between instances, too.
void add_constants(Module &module, Variables &variables) {
  for (bool changed = true; changed;) {
    changed = false;
    for (GlobalVariable &variable : module.globals()) {
      if (!variable.isConstant() || variable.isDeclaration() ||
          variable.hasAppendingLinkage() ||
          variable.getName().starts_with("llvm.") ||
          variables.contains(&variable) ||
          !refers_to(variable.getInitializer(), variables))
        continue;
      variable.setConstant(false);
      variables.insert(&variable);
      changed = true;
    }
  }
}

/// Takes the addresses of variables out of initial values, and adds stores of
/// them to a function.
class Addresses {
public:
  Addresses(Module &module, const Variables &variables)
      : variables(variables), data(module.getDataLayout()),
        builder(module.getContext()) {
    auto *function = cast<Function>(
        module
            .getOrInsertFunction(
                gpuexec::name_of(RuntimeName::store_addresses),
                FunctionType::get(Type::getVoidTy(module.getContext()), false))
            .getCallee());
    function->setLinkage(GlobalValue::InternalLinkage);
    function->setVisibility(GlobalValue::DefaultVisibility);
    function->setDSOLocal(true);
    builder.SetInsertPoint(ReturnInst::Create(
        module.getContext(),
        BasicBlock::Create(module.getContext(), "", function)));
  }

  void take_out_of(GlobalVariable &variable) {
    if (refers_to(variable.getInitializer(), variables))
      variable.setInitializer(
          without(variable, variable.getInitializer(), /*offset=*/0));
  }

private:
  /// `value`, at this offset of the variable, without addresses.
  Constant *without(GlobalVariable &variable, Constant *value,
                    uint64_t offset) {
    if (!refers_to(value, variables))
      return value;
    auto *aggregate = dyn_cast<ConstantAggregate>(value);
    if (!aggregate) {
      builder.CreateStore(
          value, builder.CreateInBoundsGEP(builder.getInt8Ty(), &variable,
                                           builder.getInt64(offset)));
      return Constant::getNullValue(value->getType());
    }
    std::vector<Constant *> members;
    for (unsigned i = 0; i < aggregate->getNumOperands(); ++i)
      members.push_back(without(variable,
                                cast<Constant>(aggregate->getOperand(i)),
                                offset + offset_of(value->getType(), i)));
    if (auto *type = dyn_cast<StructType>(value->getType()))
      return ConstantStruct::get(type, members);
    if (auto *type = dyn_cast<ArrayType>(value->getType()))
      return ConstantArray::get(type, members);
    return ConstantVector::get(members);
  }

  uint64_t offset_of(Type *type, unsigned member) const {
    if (auto *structure = dyn_cast<StructType>(type))
      return data.getStructLayout(structure)->getElementOffset(member);
    Type *element = type->getContainedType(0);
    return member * data.getTypeAllocSize(element);
  }

  const Variables &variables;
  const DataLayout &data;
  IRBuilder<> builder;
};

void replace_aliases(Module &module, const Variables &variables) {
  for (GlobalAlias &alias : make_early_inc_range(module.aliases()))
    if (refers_to(alias.getAliasee(), variables)) {
      alias.replaceAllUsesWith(alias.getAliasee());
      alias.eraseFromParent();
    }
}

} // namespace

PreservedAnalyses gpuexec::separate_instances(Module &module,
                                              ModuleAnalysisManager &) {
  const GlobalVariable *layout =
      find_variable(module, RuntimeName::instance_layout);
  const bool is_ensemble = layout && !layout->isDeclaration();
  if (is_ensemble) {
    if (find_variable(module, RuntimeName::threads_of_openmp) ||
        find_variable(module, RuntimeName::threads_of_posix))
      report_fatal_error("-fensemble: the program creates threads, or uses "
                         "OpenMP; gpuexec --ensemble runs it without "
                         "-fensemble",
                         /*gen_crash_diag=*/false);
    // Programs with it abort when there are several instances.
    const Function *streams = module.getFunction("_ZNSt8ios_base4InitC2Ev");
    if (streams && !streams->isDeclaration())
      report_fatal_error("-fensemble: not for programs with C++'s <iostream> "
                         "yet; gpuexec --ensemble runs them without "
                         "-fensemble",
                         /*gen_crash_diag=*/false);
    copy_for_program(module, RuntimeName::rpc_client);
    copy_for_program(module, RuntimeName::rpc_extensions);
    Variables variables = find_variables(module);
    replace_aliases(module, variables);
    add_constants(module, variables);
    Addresses addresses(module, variables);
    for (GlobalVariable *variable : variables)
      addresses.take_out_of(*variable);
    removeFromUsedLists(module, [&](Constant *used) {
      auto *variable = dyn_cast<GlobalVariable>(used->stripPointerCasts());
      return variable && variables.contains(variable);
    });
    for (GlobalVariable *variable : variables) {
      variable->setThreadLocalMode(GlobalValue::GeneralDynamicTLSModel);
      variable->setSection("");
    }
  }
  bool changed = is_ensemble;
  for (GlobalVariable &variable : module.globals())
    if (variable.getSection() == SHARED) {
      variable.setSection("");
      changed = true;
    }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
