//===-- toolchain/passes/speed/drop_virtual_functions.cpp -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A virtual table refers to all virtual functions of its class, and a program
// with iostreams has the tables of dozens of classes: whatever it prints, it
// brings the code for dates and amounts of money. Here, where the whole program
// is known, the pass takes a function out of a virtual table if no virtual call
// of the program can reach it: what is referred to nowhere leaves the program.
//
// clang notes at each virtual call the class that declares the function, and at
// each virtual table the classes of whose objects it may be the table, and from
// which place (type metadata). A function stays if code that stays has a call
// of a class and a place, and a table that stays has the function there. Both
// sets grow together, from what is visible outside of the program.
//
// The pass changes no table if it does not know all calls: code that is not
// bitcode, or bitcode whose calls are not marked (note_virtual_calls.cpp).
//===----------------------------------------------------------------------===//
#include "gpu/start_up.h"
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/virtual_calls.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;
using namespace gpuexec;

namespace {

/// The name of a class.
using Class = StringRef;

/// The function at a place in the table, in bytes.
using Functions = MapVector<uint64_t, GlobalValue *>;

/// A virtual table whose functions can be left out.
struct Table {
  Functions functions;
  /// Where the table begins for the objects of a class.
  SmallVector<std::pair<Class, uint64_t>> classes;
};

/// The function that a pointer in a table is for, or null.
GlobalValue *function_of(const Constant *pointer) {
  auto *value = dyn_cast<GlobalValue>(
      const_cast<Constant *>(pointer)->stripPointerCasts());
  return value && isa<FunctionType>(value->getValueType()) ? value : nullptr;
}

void find_functions(const Constant &constant, uint64_t place,
                    const DataLayout &layout, Functions &to) {
  if (constant.getType()->isPointerTy()) {
    if (GlobalValue *function = function_of(&constant))
      to[place] = function;
  } else if (auto *structure = dyn_cast<ConstantStruct>(&constant)) {
    const StructLayout *members = layout.getStructLayout(structure->getType());
    for (unsigned i = 0; i < structure->getNumOperands(); ++i)
      find_functions(*structure->getOperand(i),
                     place + members->getElementOffset(i), layout, to);
  } else if (auto *array = dyn_cast<ConstantArray>(&constant)) {
    const uint64_t size =
        layout.getTypeAllocSize(array->getType()->getElementType());
    for (unsigned i = 0; i < array->getNumOperands(); ++i)
      find_functions(*array->getOperand(i), place + i * size, layout, to);
  }
}

/// Can all uses of the table be calls that are marked?
bool is_known(const GlobalVariable &variable) {
  return variable.hasMetadata(LLVMContext::MD_type) &&
         variable.hasLocalLinkage() && variable.isConstant() &&
         variable.hasDefinitiveInitializer() &&
         variable.getVCallVisibility() != GlobalObject::VCallVisibilityPublic;
}

/// Which functions and variables of a program are used, and which functions of
/// its virtual tables.
class Usage {
public:
  explicit Usage(Module &module) : module(module) {
    for (GlobalVariable &variable : module.globals())
      if (is_known(variable))
        add_table(variable);
  }

  void find() {
    for (GlobalValue &value : module.global_values())
      if (!value.isDeclaration() && !value.hasLocalLinkage())
        mark(value);
    while (!waiting.empty())
      look_into(*waiting.pop_back_val());
  }

  /// Takes the functions that are not used from the tables.
  void drop() {
    for (auto &[variable, table] : tables)
      drop(*variable, table);
  }

private:
  void add_table(GlobalVariable &variable) {
    Table &table = tables[&variable];
    find_functions(*variable.getInitializer(), 0, module.getDataLayout(),
                   table.functions);
    SmallVector<MDNode *> types;
    variable.getMetadata(LLVMContext::MD_type, types);
    for (const MDNode *type : types) {
      const Class of = cast<MDString>(type->getOperand(1))->getString();
      const auto *place = mdconst::extract<ConstantInt>(type->getOperand(0));
      table.classes.emplace_back(of, place->getZExtValue());
      tables_of[of].insert(&variable);
    }
  }

  void mark(GlobalValue &value) {
    if (!used.insert(&value).second)
      return;
    waiting.push_back(&value);
    if (const auto *object = dyn_cast<GlobalObject>(&value))
      if (const Comdat *group = object->getComdat())
        for (GlobalObject *other : group->getUsers())
          mark(*other);
  }

  /// Marks what a constant refers to.
  void mark_in(const Constant &constant) {
    if (auto *value = dyn_cast<GlobalValue>(&constant))
      return mark(*const_cast<GlobalValue *>(value));
    if (!seen.insert(&constant).second)
      return;
    if (auto *label = dyn_cast<BlockAddress>(&constant))
      return mark(*label->getFunction());
    for (const Value *operand : constant.operand_values())
      if (auto *inner = dyn_cast<Constant>(operand))
        mark_in(*inner);
  }

  void look_into(GlobalValue &value) {
    if (auto *variable = dyn_cast<GlobalVariable>(&value);
        variable && tables.contains(variable))
      return look_into_table(*variable);
    for (const Value *operand : value.operand_values()) // initializers, ...
      if (auto *constant = dyn_cast<Constant>(operand))
        mark_in(*constant);
    if (auto *function = dyn_cast<Function>(&value))
      for (const Instruction &instruction : instructions(*function)) {
        for (const Value *operand : instruction.operand_values())
          if (auto *constant = dyn_cast<Constant>(operand))
            mark_in(*constant);
        if (auto *call = dyn_cast<CallInst>(&instruction))
          look_into_call(*call);
      }
  }

  void look_into_call(const CallInst &call) {
    const auto *callee = dyn_cast<Function>(call.getCalledOperand());
    Class of = callee ? callee->getName() : "";
    if (of.consume_front(VIRTUAL_FUNCTIONS))
      return call_all(of);
    if (!of.consume_front(VIRTUAL_FUNCTION))
      return;
    const auto *place = dyn_cast<ConstantInt>(call.getArgOperand(1));
    if (place && !is_member_pointer(of))
      call_one(of, place->getZExtValue());
    else
      call_all(of);
  }

  static bool is_member_pointer(Class of) {
    return of == ANY_CLASS || of.ends_with(".virtual");
  }

  /// A table that is used: what is no function is, too.
  void look_into_table(GlobalVariable &variable) {
    const Table &table = tables[&variable];
    mark_data(*variable.getInitializer());
    for (const auto &[of, begin] : table.classes) {
      for (uint64_t place : calls[of])
        mark_function(table, begin + place);
      if (all_called.contains(of))
        mark_functions(table);
    }
    if (any_called)
      mark_functions(table);
  }

  void mark_data(const Constant &constant) {
    if (isa<ConstantAggregate>(constant))
      for (const Value *operand : constant.operand_values())
        mark_data(*cast<Constant>(operand));
    else if (!constant.getType()->isPointerTy() || !function_of(&constant))
      mark_in(constant);
  }

  void mark_function(const Table &table, uint64_t place) {
    if (auto found = table.functions.find(place);
        found != table.functions.end())
      mark(*found->second);
  }

  void mark_functions(const Table &table) {
    for (const auto &[place, function] : table.functions)
      mark(*function);
  }

  /// A call of the function at a place behind where tables of the class begin.
  void call_one(Class of, uint64_t place) {
    if (!calls[of].insert(place))
      return;
    for (GlobalVariable *variable : tables_of[of])
      if (used.contains(variable))
        for (const auto &[each, begin] : tables[variable].classes)
          if (each == of)
            mark_function(tables[variable], begin + place);
  }

  /// A call that may reach each function of objects of the class. By a pointer
  /// to a member: of the class in the name of the pointer's type, which the
  /// type of the function follows.
  void call_all(Class of) {
    if (!is_member_pointer(of))
      return call_class(of);
    if (!of.consume_front("_ZTSM")) {
      any_called = true; // ANY_CLASS
      for (auto &[variable, table] : tables)
        if (used.contains(variable))
          mark_functions(table);
      return;
    }
    SmallVector<Class> matching;
    for (const auto &[each, tables] : tables_of)
      if (Class name = each; name.consume_front("_ZTS") && of.starts_with(name))
        matching.push_back(each);
    for (Class each : matching)
      call_class(each);
  }

  void call_class(Class of) {
    if (!all_called.insert(of).second)
      return;
    for (GlobalVariable *variable : tables_of[of])
      if (used.contains(variable))
        mark_functions(tables[variable]);
  }

  void drop(GlobalVariable &variable, const Table &table) {
    if (!used.contains(&variable))
      return; // the program has no such table
    SmallPtrSet<GlobalValue *, 8> dropped;
    for (const auto &[place, function] : table.functions)
      if (!used.contains(function))
        dropped.insert(function);
    if (!dropped.empty())
      variable.setInitializer(without(*variable.getInitializer(), dropped));
  }

  /// The constant with null in the place of functions.
  static Constant *without(Constant &constant,
                           const SmallPtrSetImpl<GlobalValue *> &functions) {
    if (constant.getType()->isPointerTy())
      return functions.contains(function_of(&constant))
                 ? Constant::getNullValue(constant.getType())
                 : &constant;
    if (!isa<ConstantStruct>(constant) && !isa<ConstantArray>(constant))
      return &constant;
    SmallVector<Constant *> parts;
    for (Value *operand : constant.operand_values())
      parts.push_back(without(*cast<Constant>(operand), functions));
    if (auto *structure = dyn_cast<StructType>(constant.getType()))
      return ConstantStruct::get(structure, parts);
    return ConstantArray::get(cast<ArrayType>(constant.getType()), parts);
  }

  Module &module;
  MapVector<GlobalVariable *, Table> tables;
  DenseMap<Class, SmallSetVector<GlobalVariable *, 4>> tables_of;
  DenseMap<Class, SmallSetVector<uint64_t, 8>> calls;
  DenseSet<Class> all_called;
  bool any_called = false;
  DenseSet<const GlobalValue *> used;
  DenseSet<const Constant *> seen;
  SmallVector<GlobalValue *> waiting;
};

/// Is the name that of an operator new or delete? The C library defines them,
/// and they make no virtual calls.
bool is_operator_new(StringRef name) {
  return name.starts_with("_Zn") || name.starts_with("_Zd");
}

/// Is the name one of C++, and no operator new or delete?
bool is_cxx_name(StringRef name) {
  return name.starts_with("_Z") && !is_operator_new(name);
}

bool names_cxx(const Constant &constant) {
  if (auto *value = dyn_cast<GlobalValue>(&constant))
    return is_cxx_name(value->getName());
  return any_of(constant.operand_values(), [](const Value *operand) {
    auto *inner = dyn_cast<Constant>(operand);
    return inner && names_cxx(*inner);
  });
}

/// Is the function of C++, and its virtual calls are not marked?
bool hides_calls(const Function &function) {
  const StringRef name = function.getName();
  if (function.isDeclaration() || is_operator_new(name) ||
      function.hasFnAttribute(VIRTUAL_CALLS_MARKED))
    return false;
  if (name.starts_with("_Z"))
    return true;
  for (const Instruction &instruction : instructions(function))
    for (const Value *operand : instruction.operand_values())
      if (auto *constant = dyn_cast<Constant>(operand);
          constant && names_cxx(*constant))
        return true;
  return false;
}

/// Is the symbol defined elsewhere, or does other code of the program refer to
/// it? Not counted are names that the language reserves for its implementation,
/// as those of passes and of the linker are, and what is kept by name. A symbol
/// that is not hidden is visible without being referred to.
bool is_elsewhere(const GlobalValue &value, ArrayRef<GlobalValue *> kept) {
  const StringRef name = value.getName();
  if (name.starts_with("llvm.") || name.starts_with("__"))
    return false;
  if (value.isDeclaration())
    return !value.use_empty();
  return value.hasHiddenVisibility() && is_cxx_name(name) &&
         !is_contained(kept, &value);
}

/// Is all code of the program in the module, and all its virtual calls marked?
bool knows_all_calls(const Module &module) {
  const Function *start = module.getFunction(GPUEXEC_START_KERNEL);
  if (!start || start->isDeclaration())
    return false;
  SmallVector<GlobalValue *, 8> kept;
  collectUsedGlobalVariables(module, kept, /*CompilerUsed=*/false);
  return none_of(module.global_values(),
                 [&](const GlobalValue &value) {
                   return is_elsewhere(value, kept);
                 }) &&
         none_of(module.functions(), hides_calls);
}

/// Makes a load of the search of a virtual function.
void lower(CallInst &call) {
  IRBuilder<> builder(&call);
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(builder.CreateLoad(
        call.getType(),
        builder.CreatePtrAdd(call.getArgOperand(0), call.getArgOperand(1))));
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::drop_virtual_functions(Module &module,
                                                  ModuleAnalysisManager &) {
  if (knows_all_calls(module)) {
    Usage usage(module);
    usage.find();
    usage.drop();
  }
  for (Function &function : make_early_inc_range(module))
    if (function.getName().starts_with(VIRTUAL_FUNCTION) ||
        function.getName().starts_with(VIRTUAL_FUNCTIONS)) {
      for (User *user : make_early_inc_range(function.users()))
        lower(*cast<CallInst>(user));
      function.eraseFromParent();
    }
  for (GlobalVariable &variable : module.globals()) {
    variable.eraseMetadata(LLVMContext::MD_type);
    variable.eraseMetadata(LLVMContext::MD_vcall_visibility);
  }
  return PreservedAnalyses::none();
}
