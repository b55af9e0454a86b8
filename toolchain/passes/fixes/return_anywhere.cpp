//===-- toolchain/passes/fixes/return_anywhere.cpp - Results in objects ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that returns an object of a class makes it where its caller says.
// clang takes that for a place on the stack and passes an address of private
// memory. In C++ it can be anywhere: `static Object object = make();`, `new
// Object(make())`, a member of an object in the heap. The address is cut off.
//
// This pass makes it a generic pointer: in functions, and in calls, whose
// argument is usually a generic pointer that clang has cast. C has copies in
// such places, and is left alone.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

PointerType *generic_pointer(LLVMContext &context) {
  return PointerType::get(context, 0);
}

/// The number of the parameter that says where the result goes, or -1.
template <typename FunctionOrCall>
int find_result(const FunctionOrCall &it, const FunctionType &type) {
  for (unsigned i = 0; i < type.getNumParams(); ++i)
    if (it.getAttributes().hasParamAttr(i, Attribute::StructRet) &&
        type.getParamType(i)->getPointerAddressSpace() != 0)
      return int(i);
  return -1;
}

/// The function type with parameter `which` as a generic pointer.
FunctionType *with_generic(FunctionType &type, int which) {
  SmallVector<Type *> parameters(type.params());
  parameters[which] = generic_pointer(type.getContext());
  return FunctionType::get(type.getReturnType(), parameters, type.isVarArg());
}

void change(CallBase &call, int which) {
  Value *place = call.getArgOperand(which);
  PointerType *generic = generic_pointer(call.getContext());
  auto *cast = dyn_cast<Operator>(place);
  if (cast && cast->getOpcode() == Instruction::AddrSpaceCast &&
      cast->getOperand(0)->getType() == generic)
    place = cast->getOperand(0);
  else
    place = IRBuilder<>(&call).CreateAddrSpaceCast(place, generic);
  call.mutateFunctionType(with_generic(*call.getFunctionType(), which));
  call.setArgOperand(which, place);
}

/// Replaces memcpy() or memset() of the address `given` by one of `made`.
void replace_in(MemIntrinsic &old, Value *given, Value *made) {
  const auto operand = [&](Value *value) {
    return value == given ? made : value;
  };
  IRBuilder<> builder(&old);
  Value *to = operand(old.getRawDest());
  if (auto *set = dyn_cast<MemSetInst>(&old)) {
    builder.CreateMemSet(to, set->getValue(), set->getLength(),
                         set->getDestAlign(), set->isVolatile());
  } else {
    auto &copy = cast<MemTransferInst>(old);
    Value *from = operand(copy.getRawSource());
    builder.CreateMemTransferInst(
        copy.getIntrinsicID(), to, copy.getDestAlign(), from,
        copy.getSourceAlign(), copy.getLength(), copy.isVolatile());
  }
  old.eraseFromParent();
}

/// Replaces the uses of a private pointer by those of a generic one.
void replace(Value &given, Value &made) {
  for (Use &use : make_early_inc_range(given.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (isa<AddrSpaceCastInst>(user) && user->getType() == made.getType()) {
      user->replaceAllUsesWith(&made);
      user->eraseFromParent();
    } else if (auto *element = dyn_cast<GetElementPtrInst>(user)) {
      IRBuilder<> builder(element);
      SmallVector<Value *> indices(element->indices());
      Value *there =
          builder.CreateGEP(element->getSourceElementType(), &made, indices,
                            element->getName(), element->getNoWrapFlags());
      replace(*element, *there);
      element->eraseFromParent();
    } else if (isa<LoadInst>(user) ||
               (isa<StoreInst>(user) &&
                use.getOperandNo() == StoreInst::getPointerOperandIndex())) {
      use.set(&made);
    } else if (auto *memory = dyn_cast<MemIntrinsic>(user)) {
      replace_in(*memory, &given, &made);
    } else { // a use by debug information
      IRBuilder<> builder(user);
      use.set(builder.CreateAddrSpaceCast(&made, given.getType()));
    }
  }
}

void change(Function &function, int which) {
  Function *made = Function::Create(
      with_generic(*function.getFunctionType(), which), function.getLinkage(),
      function.getAddressSpace(), "", function.getParent());
  made->copyAttributesFrom(&function);
  made->setComdat(function.getComdat());
  made->takeName(&function);
  made->splice(made->begin(), &function);
  made->copyMetadata(&function, 0);
  for (Argument &argument : function.args()) {
    Argument *now = made->getArg(argument.getArgNo());
    now->takeName(&argument);
    if (argument.getArgNo() == unsigned(which))
      replace(argument, *now);
    else
      argument.replaceAllUsesWith(now);
  }
  function.replaceAllUsesWith(made);
  function.eraseFromParent();
}

/// Was the file compiled as C++? Then some name in it is mangled.
bool is_cxx(const Module &module) {
  return any_of(module.global_values(), [](const GlobalValue &value) {
    return value.getName().starts_with("_Z");
  });
}

} // namespace

PreservedAnalyses gpuexec::return_anywhere(Module &module,
                                           ModuleAnalysisManager &) {
  if (!is_cxx(module))
    return PreservedAnalyses::all();
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (const int which = find_result(*call, *call->getFunctionType());
            which >= 0)
          change(*call, which);
  for (Function &function : make_early_inc_range(module))
    if (const int which = find_result(function, *function.getFunctionType());
        which >= 0)
      change(function, which);
  return PreservedAnalyses::none();
}
