//===-- toolchain/passes/fixes/drop_empty_parameters.cpp - Empty types ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GNU C has types of size 0: a structure without members, a union whose member
// is an array of no elements or a flexible one. LLVM's NVPTX backend declares
// parameters and results of such types as arrays of 0 bytes, which ptxas
// refuses: 'Output parameter cannot be an incomplete array'.
//
// This pass removes them from functions and calls. It decides by types alone,
// so that calls through pointers change in the same way as the functions.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

/// The type and attributes of a function or call without empty parameters and
/// results.
struct Signature {
  FunctionType *type = nullptr;
  AttributeList attributes;
  SmallVector<unsigned, 8> kept; ///< numbers of the parameters that remain
  bool returns_nothing_now = false;
};

bool is_empty(Type *type, const DataLayout &layout) {
  return type->isSized() && !type->isVoidTy() &&
         layout.getTypeAllocSize(type).isZero();
}

/// Makes the signature of a call or function with `arguments` arguments.
/// Variable arguments remain.
Signature without_empty(FunctionType *type, const AttributeList &attributes,
                        unsigned arguments, const DataLayout &layout) {
  Signature result;
  SmallVector<Type *, 8> types;
  SmallVector<AttributeSet, 8> sets;
  for (unsigned i = 0; i < arguments; ++i) {
    const bool named = i < type->getNumParams();
    Type *by_value = attributes.getParamByValType(i);
    if (named && is_empty(by_value ? by_value : type->getParamType(i), layout))
      continue;
    result.kept.push_back(i);
    sets.push_back(attributes.getParamAttrs(i));
    if (named)
      types.push_back(type->getParamType(i));
  }
  Type *returned = type->getReturnType();
  AttributeSet of_result = attributes.getRetAttrs();
  result.returns_nothing_now = is_empty(returned, layout);
  if (result.returns_nothing_now) {
    returned = Type::getVoidTy(type->getContext());
    of_result = AttributeSet();
  }
  result.type = FunctionType::get(returned, types, type->isVarArg());
  result.attributes = AttributeList::get(
      type->getContext(), attributes.getFnAttrs(), of_result, sets);
  return result;
}

bool change_call(CallInst &call) {
  Signature signature =
      without_empty(call.getFunctionType(), call.getAttributes(),
                    call.arg_size(), call.getDataLayout());
  if (signature.type == call.getFunctionType())
    return false;
  IRBuilder<> builder(&call);
  SmallVector<Value *, 8> arguments;
  for (unsigned i : signature.kept)
    arguments.push_back(call.getArgOperand(i));
  CallInst *changed =
      builder.CreateCall(signature.type, call.getCalledOperand(), arguments);
  changed->setAttributes(signature.attributes);
  changed->setCallingConv(call.getCallingConv());
  changed->setTailCallKind(call.getTailCallKind());
  if (call.getType() == changed->getType())
    call.replaceAllUsesWith(changed);
  else // the result was empty
    call.replaceAllUsesWith(PoisonValue::get(call.getType()));
  call.eraseFromParent();
  return true;
}

/// Moves the body to the new function. A removed parameter that is passed by
/// value becomes a local variable, because its address may be taken.
void move_body(Function &from, Function &to, const Signature &signature) {
  to.splice(to.begin(), &from);
  IRBuilder<> builder(&*to.getEntryBlock().getFirstInsertionPt());
  unsigned next = 0;
  for (Argument &argument : from.args()) {
    if (is_contained(signature.kept, argument.getArgNo())) {
      Argument *same = to.getArg(next++);
      same->takeName(&argument);
      argument.replaceAllUsesWith(same);
    } else if (Type *by_value = argument.getParamByValType()) {
      argument.replaceAllUsesWith(builder.CreateAlloca(by_value));
    } else {
      argument.replaceAllUsesWith(PoisonValue::get(argument.getType()));
    }
  }
  if (signature.returns_nothing_now)
    for (BasicBlock &block : to)
      if (auto *leaving = dyn_cast<ReturnInst>(block.getTerminator())) {
        ReturnInst::Create(to.getContext(), nullptr, leaving->getIterator());
        leaving->eraseFromParent();
      }
}

bool change_function(Function &function) {
  Signature signature =
      without_empty(function.getFunctionType(), function.getAttributes(),
                    unsigned(function.arg_size()), function.getDataLayout());
  if (function.isIntrinsic() || signature.type == function.getFunctionType())
    return false;
  Function *changed =
      Function::Create(signature.type, function.getLinkage(),
                       function.getAddressSpace(), "", function.getParent());
  changed->takeName(&function);
  changed->copyAttributesFrom(&function);
  changed->setAttributes(signature.attributes);
  changed->setComdat(function.getComdat());
  changed->copyMetadata(&function, 0);
  if (!function.isDeclaration())
    move_body(function, *changed, signature);
  function.replaceAllUsesWith(changed);
  function.eraseFromParent();
  return true;
}

} // namespace

PreservedAnalyses gpuexec::drop_empty_parameters(Module &module,
                                                 ModuleAnalysisManager &) {
  SmallVector<CallInst *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction);
          call && !call->isInlineAsm() && !isa<IntrinsicInst>(call))
        calls.push_back(call);
  bool changed = false;
  for (CallInst *call : calls)
    changed |= change_call(*call);
  for (Function &function : make_early_inc_range(module))
    changed |= change_function(function);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
