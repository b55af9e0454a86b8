//===-- toolchain/passes/complete_variadic_calls.cpp - No prototype -------===//
// A call of a variadic function without its prototype (`char snprintf();`, as
// in the checks of configure scripts) has a type of its own and may pass fewer
// arguments than the function has parameters. LLVM 22 lowers variadic arguments
// by the function's type and crashes at such a call. This pass gives the call
// the function's type. Missing or mismatched arguments, undefined in C, are
// zero.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

void complete(CallInst &call, Function &function) {
  FunctionType *type = function.getFunctionType();
  SmallVector<Value *, 8> arguments;
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    Type *wanted = type->getParamType(i);
    Value *given = i < call.arg_size() ? call.getArgOperand(i) : nullptr;
    arguments.push_back(given && given->getType() == wanted
                            ? given
                            : Constant::getNullValue(wanted));
  }
  for (unsigned i = type->getNumParams(); i < call.arg_size(); ++i)
    arguments.push_back(call.getArgOperand(i));

  IRBuilder<> builder(&call);
  CallInst *whole = builder.CreateCall(&function, arguments);
  whole->setCallingConv(function.getCallingConv());
  if (!call.getType()->isVoidTy() && !call.use_empty()) {
    Value *result = whole;
    if (call.getType() != whole->getType())
      result = call.getType()->isIntegerTy() && whole->getType()->isIntegerTy()
                   ? builder.CreateZExtOrTrunc(whole, call.getType())
                   : Constant::getNullValue(call.getType());
    call.replaceAllUsesWith(result);
  }
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::complete_variadic_calls(Module &module,
                                                   ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module) {
    if (!function.isVarArg() || function.isIntrinsic())
      continue;
    for (User *user : make_early_inc_range(function.users()))
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledOperand() == &function &&
          call->getFunctionType() != function.getFunctionType()) {
        complete(*call, function);
        changed = true;
      }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
