//===-- toolchain/link/split.cpp - See split.h ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/link/split.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/TypeFinder.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace gpuexec {

namespace {

/// Address space of memory that the threads of a block share.
constexpr unsigned SHARED = 3;
/// The size in bytes up to which a constant is copied into each piece that uses
/// it. Constants have numbers as names, which change when another constant is
/// added before them, and would change the pieces; a copy needs no name.
constexpr uint64_t LARGEST_COPY = 4096;
/// A function with at least this many instructions is a piece of its own. A
/// smaller piece would cost more to set up than to compile.
constexpr uint64_t LARGE = 300;
/// A piece of small functions ends at FULL instructions. From ENOUGH on it ends
/// at a function whose name has a hash without the bits of END_MASK: pieces
/// then end at the same functions as before, although a function has been
/// added.
constexpr uint64_t FULL = 600, ENOUGH = 150;
constexpr uint64_t END_MASK = 3;

bool is_kernel(const GlobalValue &value) {
  auto *function = dyn_cast<Function>(&value);
  return function && function->getCallingConv() == CallingConv::AMDGPU_KERNEL;
}

bool is_definition(const GlobalValue &value) {
  return !value.isDeclaration() && !value.hasAvailableExternallyLinkage();
}

/// Removes the names of types: the numbers in them depend on what was linked
/// before, and would change the pieces.
void forget_type_names(Module &module) {
  TypeFinder types;
  types.run(module, /*onlyNamed=*/true);
  for (StructType *type : types)
    type->setName("");
}

/// Takes from the lists of constructors and destructors which variable each is
/// for, as they say of inline variables and of those of templates: of several
/// objects with the variable one then brings the constructor. LLVM leaves out
/// those whose variable another module defines; here the program is whole.
void forget_constructed_variables(Module &module) {
  for (const char *name : {"llvm.global_ctors", "llvm.global_dtors"}) {
    GlobalVariable *list = module.getGlobalVariable(name);
    auto *all = list && list->hasInitializer()
                    ? dyn_cast<ConstantArray>(list->getInitializer())
                    : nullptr;
    if (!all)
      continue;
    SmallVector<Constant *> entries;
    for (Value *each : all->operand_values()) {
      auto *entry = cast<ConstantStruct>(each);
      Constant *variable = entry->getOperand(2);
      entries.push_back(ConstantStruct::get(
          entry->getType(), {entry->getOperand(0), entry->getOperand(1),
                             Constant::getNullValue(variable->getType())}));
    }
    list->setInitializer(ConstantArray::get(all->getType(), entries));
  }
}

/// Gives a local definition a name and hidden visibility, by which other pieces
/// can refer to it.
void make_visible(GlobalValue &value) {
  if (!value.hasLocalLinkage())
    return;
  if (!value.hasName())
    value.setName("unnamed");
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
  value.setDSOLocal(true);
}

/// Renames a defined printf: in a piece that only declares it LLVM's AMDGPU
/// backend would take it for OpenCL's. <stdio.h> uses the new name, too, where
/// files are compiled to machine code before the link.
void rename_printf(Module &module) {
  if (Function *function = module.getFunction("printf"))
    if (is_definition(*function))
      function->setName("__gpuexec_printf");
}

/// Calls `visit` with each global value that `value` is or mentions. Skips
/// constants in `seen`, and adds those that it visits.
void visit_globals(const Value *value, SmallPtrSetImpl<const Value *> &seen,
                   function_ref<void(const GlobalValue &)> visit) {
  auto *constant = dyn_cast<Constant>(value);
  if (!constant || !seen.insert(constant).second)
    return;
  if (auto *global = dyn_cast<GlobalValue>(constant))
    return visit(*global);
  for (const Use &operand : constant->operands())
    visit_globals(operand.get(), seen, visit);
}

/// The definitions of a module in groups; those of a group must be in one
/// object.
class Groups {
public:
  explicit Groups(Module &module) {
    for (GlobalValue &value : module.global_values())
      if (is_definition(value))
        groups.insert(&value);
    for (GlobalAlias &alias : module.aliases())
      join_with_mentioned(alias, alias.getAliasee());
    for (GlobalIFunc &resolved : module.ifuncs())
      join_with_mentioned(resolved, resolved.getResolver());
    DenseMap<const Comdat *, GlobalValue *> first;
    for (GlobalObject &object : module.global_objects())
      if (const Comdat *comdat = object.getComdat())
        join(*first.try_emplace(comdat, &object).first->second, object);
    for (Function &function : module)
      for (BasicBlock &block : function)
        if (BlockAddress *label = BlockAddress::lookup(&block))
          join_with_users(function, *label);
  }

  GlobalValue *leader(GlobalValue &value) const {
    return *groups.findLeader(&value);
  }

private:
  void join(GlobalValue &a, GlobalValue &b) {
    if (&a != &b && is_definition(a) && is_definition(b))
      groups.unionSets(&a, &b);
  }

  void join_with_mentioned(GlobalValue &value, const Constant *constant) {
    SmallPtrSet<const Value *, 8> seen;
    visit_globals(constant, seen, [&](const GlobalValue &mentioned) {
      join(value, const_cast<GlobalValue &>(mentioned));
    });
  }

  void join_with_users(GlobalValue &value, const Constant &constant) {
    for (const User *user : constant.users()) {
      if (auto *instruction = dyn_cast<Instruction>(user))
        join(value, *const_cast<Function *>(instruction->getFunction()));
      else if (auto *global = dyn_cast<GlobalValue>(user))
        join(value, *const_cast<GlobalValue *>(global));
      else if (auto *part = dyn_cast<Constant>(user))
        join_with_users(value, *part);
    }
  }

  EquivalenceClasses<GlobalValue *> groups;
};

/// Whether each piece that uses the variable gets a copy.
bool is_copied(const GlobalValue &value) {
  auto *variable = dyn_cast<GlobalVariable>(&value);
  if (!variable || !variable->isConstant() || !variable->hasLocalLinkage() ||
      !variable->hasGlobalUnnamedAddr() || !variable->hasInitializer() ||
      variable->hasSection() || variable->hasComdat() ||
      variable->getParent()->getDataLayout().getTypeAllocSize(
          variable->getValueType()) > LARGEST_COPY)
    return false;
  SmallPtrSet<const Value *, 8> seen;
  bool plain = true; // mentions no label, no alias and not itself
  visit_globals(variable->getInitializer(), seen,
                [&](const GlobalValue &other) {
                  plain &= &other != variable && !isa<GlobalAlias>(other);
                });
  for (const Value *value : seen)
    plain &= !isa<BlockAddress>(value);
  return plain;
}

/// Whether exactly one piece has the definition. After make_visible() the
/// definitions that are still local are those that pieces copy.
bool is_placed(const GlobalValue &value) {
  return is_definition(value) && !value.hasLocalLinkage();
}

/// Builds the list of pieces from groups in the module's order.
class Collector {
public:
  void add(std::vector<GlobalValue *> group) {
    uint64_t cost = 0;
    bool kernel = false, code = false;
    for (GlobalValue *value : group)
      if (auto *function = dyn_cast<Function>(value)) {
        cost += function->getInstructionCount();
        kernel |= is_kernel(*function);
        code = true;
      }
    if (kernel)
      return append(kernels, group, cost);
    if (!code)
      return append(data, group, cost);
    if (cost >= LARGE) {
      append(pieces.emplace_back(), group, cost);
      return;
    }
    append(open, group, cost);
    if (open.cost >= FULL ||
        (open.cost >= ENOUGH && !(xxh3_64bits(group[0]->getName()) & END_MASK)))
      close();
  }

  std::vector<Piece> take() {
    close();
    if (!data.definitions.empty())
      pieces.push_back(std::move(data));
    kernels.kernels = true;
    pieces.push_back(std::move(kernels));
    return std::move(pieces);
  }

private:
  static void append(Piece &piece, const std::vector<GlobalValue *> &group,
                     uint64_t cost) {
    if (piece.definitions.empty())
      piece.name = group[0]->getName();
    piece.definitions.insert(piece.definitions.end(), group.begin(),
                             group.end());
    piece.cost += cost;
  }

  void close() {
    if (!open.definitions.empty())
      pieces.push_back(std::move(open));
    open = {};
  }

  std::vector<Piece> pieces;
  Piece open, data, kernels;
};

bool has_shared_variables(const Module &module) {
  return any_of(module.globals(), [](const GlobalVariable &variable) {
    return variable.getAddressSpace() == SHARED;
  });
}

/// The piece of a program that is not divided.
Piece everything(Module &module) {
  Piece piece;
  piece.name = "program";
  piece.kernels = true;
  for (GlobalValue &value : module.global_values())
    if (is_placed(value))
      piece.definitions.push_back(&value);
  return piece;
}

} // namespace

std::vector<Piece> split(Module &module) {
  forget_type_names(module);
  rename_printf(module);
  forget_constructed_variables(module);
  // These lists keep the optimiser from removing values. It has already run.
  for (const char *name : {"llvm.used", "llvm.compiler.used"})
    if (GlobalVariable *list = module.getGlobalVariable(name))
      list->eraseFromParent();
  for (GlobalValue &value : module.global_values())
    if (is_definition(value) && !is_copied(value))
      make_visible(value);
  if (has_shared_variables(module))
    return {everything(module)};
  const Groups groups(module);
  // Groups are in the order of their first functions; those without functions
  // come last.
  std::vector<GlobalValue *> order;
  DenseMap<GlobalValue *, std::vector<GlobalValue *>> members;
  auto place = [&](GlobalValue &value) {
    if (!is_placed(value))
      return;
    std::vector<GlobalValue *> &group = members[groups.leader(value)];
    if (group.empty())
      order.push_back(groups.leader(value));
    group.push_back(&value);
  };
  for (Function &function : module)
    place(function);
  for (GlobalValue &value : module.global_values())
    if (!isa<Function>(value))
      place(value);
  Collector collector;
  for (GlobalValue *leader : order)
    collector.add(std::move(members[leader]));
  return collector.take();
}

} // namespace gpuexec
