//===-- toolchain/passes/shared/generic_structures.cpp --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/generic_structures.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace {

PointerType *generic_pointer(LLVMContext &context) {
  return PointerType::get(context, 0);
}

/// The numbers of the parameters that are private addresses of structures: of
/// the result, and of arguments if wanted.
template <typename FunctionOrCall>
SmallVector<unsigned> find_structures(const FunctionOrCall &it,
                                      bool arguments_too) {
  constexpr unsigned STACK = 5; // an address space of AMD's
  const FunctionType &type = *it.getFunctionType();
  const AttributeList attributes = it.getAttributes();
  SmallVector<unsigned> found;
  for (unsigned i = 0; i < type.getNumParams(); ++i)
    if (type.getParamType(i)->isPointerTy() &&
        type.getParamType(i)->getPointerAddressSpace() == STACK &&
        (attributes.hasParamAttr(i, Attribute::StructRet) ||
         (arguments_too && (attributes.hasParamAttr(i, Attribute::ByRef) ||
                            attributes.hasParamAttr(i, Attribute::ByVal)))))
      found.push_back(i);
  return found;
}

/// The function type with these parameters as generic pointers.
FunctionType *with_generic(FunctionType &type, ArrayRef<unsigned> which) {
  SmallVector<Type *> parameters(type.params());
  for (unsigned number : which)
    parameters[number] = generic_pointer(type.getContext());
  return FunctionType::get(type.getReturnType(), parameters, type.isVarArg());
}

void change(CallBase &call, ArrayRef<unsigned> which) {
  PointerType *generic = generic_pointer(call.getContext());
  for (unsigned number : which) {
    Value *place = call.getArgOperand(number);
    auto *cast = dyn_cast<Operator>(place);
    if (cast && cast->getOpcode() == Instruction::AddrSpaceCast &&
        cast->getOperand(0)->getType() == generic)
      place = cast->getOperand(0);
    else
      place = IRBuilder<>(&call).CreateAddrSpaceCast(place, generic);
    call.setArgOperand(number, place);
  }
  call.mutateFunctionType(with_generic(*call.getFunctionType(), which));
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

void change(Function &function, ArrayRef<unsigned> which) {
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
    if (is_contained(which, argument.getArgNo()))
      replace(argument, *now);
    else
      argument.replaceAllUsesWith(now);
  }
  function.replaceAllUsesWith(made);
  function.eraseFromParent();
}

/// Was some of the code compiled as C++? Then some name in it is mangled.
bool is_cxx(const Module &module) {
  return any_of(module.global_values(), [](const GlobalValue &value) {
    return value.getName().starts_with("_Z");
  });
}

} // namespace

PreservedAnalyses gpuexec::make_structures_generic(Module &module,
                                                   Structures which) {
  if (!is_cxx(module))
    return PreservedAnalyses::all();
  const bool in_program = which == Structures::of_program;
  // Code that is not in this module knows the others by their C interface.
  const auto may_change = [&](const Function *function) {
    return !in_program || !function || function->hasLocalLinkage();
  };
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && may_change(call->getCalledFunction()))
        if (const auto found = find_structures(*call, in_program);
            !found.empty())
          change(*call, found);
  for (Function &function : make_early_inc_range(module))
    if (may_change(&function))
      if (const auto found = find_structures(function, in_program);
          !found.empty())
        change(function, found);
  return PreservedAnalyses::none();
}
