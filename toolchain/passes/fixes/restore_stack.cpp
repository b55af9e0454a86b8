//===-- toolchain/passes/fixes/restore_stack.cpp - Local variables --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second half of toolchain/frontend/generic_stack.cpp: clang has made code
// of C++ as if local variables were in the generic address space. Here they go
// where they are (the module has AMD's data layout by now). Functions of C take
// and return large structures by addresses of the stack, so their types and
// calls are changed, too; functions of C++, whose names are mangled, do that by
// generic addresses among themselves. A coroutine's variables stay generic
// until LLVM has chosen those that are in its frame: the pass runs twice
// (plugin.cpp). -save-temps writes bitcode before any pass, for another clang,
// which verifies it: store_stack() moves a coroutine's variables, too, and
// marks it, and the pass moves them back.
// In the list of constructors clang 22 names the variable that a constructor is
// for, also in global memory, where the list has generic addresses: bitcode of
// it cannot be read. Here they are cast.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

constexpr unsigned STACK = 5; // an address space of AMD's

/// Attribute of a coroutine whose variables are to be generic again.
constexpr const char *STORED = "gpuexec-stored-stack";

class Restorer {
public:
  explicit Restorer(Module &module)
      : module(module), generic(PointerType::get(module.getContext(), 0)),
        stack(PointerType::get(module.getContext(), STACK)) {}

  /// What of a coroutine's variables before LLVM has split it?
  enum class Coroutines { Keep, Store };

  void run(Coroutines coroutines) {
    SmallVector<Function *> functions;
    for (Function &function : module)
      functions.push_back(&function);
    for (Function *function : functions) {
      // A coroutine's frame will be on the heap, and some of its variables.
      if (function->hasFnAttribute(STORED))
        take_back(*function);
      else if (!function->isPresplitCoroutine())
        move_all(*function);
      else if (coroutines == Coroutines::Store) {
        move_all(*function);
        function->addFnAttr(STORED);
      }
      for (IntrinsicInst *call : all<IntrinsicInst>(*function))
        restore_mark(*call);
      for (CallBase *call : all<CallBase>(*function))
        if (is_of_c(call->getCalledFunction()))
          restore_arguments(*call);
    }
    for (Function *function : functions)
      if (is_of_c(function))
        restore_parameters(*function);
  }

private:
  template <class Kind> static SmallVector<Kind *> all(Function &function) {
    SmallVector<Kind *> found;
    for (Instruction &instruction : instructions(function))
      if (auto *one = dyn_cast<Kind>(&instruction))
        found.push_back(one);
    return found;
  }

  static bool is_of_c(const Function *function) {
    return function && !function->isIntrinsic() &&
           !function->getName().starts_with("_Z");
  }

  void move_all(Function &function) {
    for (AllocaInst *variable : all<AllocaInst>(function))
      if (variable->getAddressSpace() != STACK) {
        AllocaInst *moved = move(*variable, STACK);
        IRBuilder<> builder(moved->getNextNode());
        variable->replaceAllUsesWith(
            builder.CreateAddrSpaceCast(moved, generic));
        variable->eraseFromParent();
      }
  }

  /// Makes the variables generic for which move_all() has made a cast.
  void take_back(Function &function) {
    function.removeFnAttr(STORED);
    for (AllocaInst *variable : all<AllocaInst>(function)) {
      auto *cast = dyn_cast<AddrSpaceCastInst>(variable->getNextNode());
      if (!cast || cast->getPointerOperand() != variable)
        continue;
      AllocaInst *moved = move(*variable, 0);
      cast->replaceAllUsesWith(moved);
      cast->eraseFromParent();
      variable->eraseFromParent();
    }
  }

  /// A variable in place of this one, whose uses as an address are left.
  static AllocaInst *move(AllocaInst &variable, unsigned address_space) {
    IRBuilder<> builder(&variable);
    AllocaInst *moved = builder.CreateAlloca(
        variable.getAllocatedType(), address_space,
        variable.isArrayAllocation() ? variable.getArraySize() : nullptr);
    moved->setAlignment(variable.getAlign());
    moved->copyMetadata(variable);
    moved->takeName(&variable);
    for (User *user : make_early_inc_range(variable.users()))
      if (auto *lifetime = dyn_cast<LifetimeIntrinsic>(user)) {
        builder.SetInsertPoint(lifetime);
        if (lifetime->getIntrinsicID() == Intrinsic::lifetime_start)
          builder.CreateLifetimeStart(moved);
        else
          builder.CreateLifetimeEnd(moved);
        lifetime->eraseFromParent();
      }
    if (variable.isUsedByMetadata())
      ValueAsMetadata::handleRAUW(&variable, moved);
    return moved;
  }

  /// The stack's end, kept for arrays of variable length.
  void restore_mark(IntrinsicInst &call) {
    IRBuilder<> builder(&call);
    if (call.getIntrinsicID() == Intrinsic::stacksave &&
        call.getType() == generic) {
      Value *saved = builder.CreateIntrinsic(Intrinsic::stacksave, {stack}, {});
      call.replaceAllUsesWith(builder.CreateAddrSpaceCast(saved, generic));
      call.eraseFromParent();
    } else if (call.getIntrinsicID() == Intrinsic::stackrestore &&
               call.getArgOperand(0)->getType() == generic) {
      builder.CreateIntrinsic(
          Intrinsic::stackrestore, {stack},
          {builder.CreateAddrSpaceCast(call.getArgOperand(0), stack)});
      call.eraseFromParent();
    }
  }

  template <class Callee> bool is_moved(const Callee &callee, unsigned number,
                                        const Type *type) const {
    return type == generic &&
           (callee.getAttributes().hasParamAttr(number, Attribute::StructRet) ||
            callee.getAttributes().hasParamAttr(number, Attribute::ByRef) ||
            callee.getAttributes().hasParamAttr(number, Attribute::ByVal));
  }

  template <class Callee>
  FunctionType *type_of(const Callee &callee, bool &changed) const {
    FunctionType *type = callee.getFunctionType();
    SmallVector<Type *> parameters(type->params());
    for (auto [number, parameter] : enumerate(parameters))
      if (is_moved(callee, number, parameter)) {
        parameter = stack;
        changed = true;
      }
    return FunctionType::get(type->getReturnType(), parameters,
                             type->isVarArg());
  }

  /// An argument that is no variable of the stack gets one in its place, for
  /// the call.
  void restore_arguments(CallBase &call) {
    bool changed = false;
    FunctionType *type = type_of(call, changed);
    if (!changed)
      return;
    for (unsigned i = 0; i < type->getNumParams(); ++i) {
      Value *argument = call.getArgOperand(i);
      if (argument->getType() == type->getParamType(i))
        continue;
      call.setArgOperand(i, on_stack(call, i, *argument));
    }
    call.mutateFunctionType(type);
  }

  Value *on_stack(CallBase &call, unsigned number, Value &argument) {
    if (auto *variable = dyn_cast<AllocaInst>(argument.stripPointerCasts()))
      return variable;
    IRBuilder<> builder(
        &*call.getFunction()->getEntryBlock().getFirstInsertionPt());
    Type *type = call.getParamStructRetType(number);
    const bool is_result = type;
    if (!is_result)
      type = call.getParamByRefType(number) ? call.getParamByRefType(number)
                                            : call.getParamByValType(number);
    AllocaInst *copy = builder.CreateAlloca(type, STACK);
    const Align align = call.getParamAlign(number).valueOrOne();
    copy->setAlignment(std::max(copy->getAlign(), align));
    const uint64_t size = module.getDataLayout().getTypeAllocSize(type);
    if (!is_result) {
      builder.SetInsertPoint(&call);
      builder.CreateMemCpy(copy, align, &argument, align, size);
    } else {
      if (auto *invoke = dyn_cast<InvokeInst>(&call))
        builder.SetInsertPoint(
            &*invoke->getNormalDest()->getFirstInsertionPt());
      else
        builder.SetInsertPoint(call.getNextNode());
      builder.CreateMemCpy(&argument, align, copy, align, size);
    }
    return copy;
  }

  void restore_parameters(Function &function) {
    bool changed = false;
    FunctionType *type = type_of(function, changed);
    if (!changed)
      return;
    Function *made = Function::Create(
        type, function.getLinkage(), function.getAddressSpace(), "", &module);
    made->copyAttributesFrom(&function);
    made->copyMetadata(&function, 0);
    made->setComdat(function.getComdat());
    made->takeName(&function);
    made->splice(made->begin(), &function);
    for (auto [before, now] : zip(function.args(), made->args())) {
      now.takeName(&before);
      Value *value = &now;
      if (before.getType() != now.getType() && !before.use_empty()) {
        IRBuilder<> builder(&*made->getEntryBlock().getFirstInsertionPt());
        value = builder.CreateAddrSpaceCast(&now, before.getType());
      }
      if (!before.use_empty())
        before.replaceAllUsesWith(value);
    }
    function.replaceAllUsesWith(made);
    function.eraseFromParent();
  }

  Module &module;
  PointerType *const generic, *const stack;
};

} // namespace

/// Makes each member of the entries what their type says.
static void mend_constructors(GlobalVariable *list) {
  auto *entries = list && list->hasInitializer()
                      ? dyn_cast<ConstantArray>(list->getInitializer())
                      : nullptr;
  if (!entries)
    return;
  auto *type = cast<StructType>(entries->getType()->getElementType());
  SmallVector<Constant *> mended;
  for (const Use &entry : entries->operands()) {
    auto *was = cast<Constant>(entry.get());
    SmallVector<Constant *> members;
    for (unsigned i = 0; i < type->getNumElements(); ++i) {
      Constant *member = was->getAggregateElement(i);
      members.push_back(member->getType() == type->getElementType(i)
                            ? member
                            : ConstantExpr::getAddrSpaceCast(
                                  member, type->getElementType(i)));
    }
    mended.push_back(ConstantStruct::get(type, members));
  }
  list->setInitializer(ConstantArray::get(entries->getType(), mended));
}

PreservedAnalyses gpuexec::restore_stack(Module &module,
                                         ModuleAnalysisManager &) {
  Restorer(module).run(Restorer::Coroutines::Keep);
  mend_constructors(module.getGlobalVariable("llvm.global_ctors"));
  return PreservedAnalyses::none();
}

void gpuexec::store_stack(Module &module) {
  Restorer(module).run(Restorer::Coroutines::Store);
  mend_constructors(module.getGlobalVariable("llvm.global_ctors"));
}
