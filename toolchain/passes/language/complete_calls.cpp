//===-- toolchain/passes/language/complete_calls.cpp - Mismatched calls ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The type of a call differs from the function's when the caller has no
// prototype (`char snprintf();`, `int helper();`) or a wrong one (`extern void
// *malloc(unsigned);`). On x86-64 such a call works, because integers and
// pointers are passed in whole registers. On GPUs the upper half of a 64-bit
// parameter is garbage, NVIDIA's linker drops a function that has no other
// calls, and LLVM crashes if the function is variadic.
//
// This pass gives the call the type of the function's definition. Integers are
// extended with zeros or truncated, as moves between x86-64's registers do; an
// argument that is missing or of another class (integer, floating point) is
// zero. The user gets a warning where integers differ in width.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

/// `given` as a value of the type, or null if a register could not carry it.
Value *converted(IRBuilder<> &builder, Value *given, Type *type) {
  Type *from = given->getType();
  if (from == type)
    return given;
  if (from->isPointerTy() && type->isPointerTy())
    return builder.CreateAddrSpaceCast(given, type);
  if (from->isPointerTy() && type->isIntegerTy())
    return builder.CreateZExtOrTrunc(
        builder.CreatePtrToInt(given, builder.getInt64Ty()), type);
  if (from->isIntegerTy() && type->isPointerTy())
    return builder.CreateIntToPtr(
        builder.CreateZExtOrTrunc(given, builder.getInt64Ty()), type);
  if (from->isIntegerTy() && type->isIntegerTy())
    return builder.CreateZExtOrTrunc(given, type);
  if (from->isFloatingPointTy() && type->isFloatingPointTy())
    return builder.CreateFPCast(given, type);
  return nullptr;
}

/// Does an integer argument or result of the call differ in width from the
/// function's?
bool widths_differ(const CallInst &call, const Function &function) {
  FunctionType *type = function.getFunctionType();
  auto differ = [](Type *a, Type *b) {
    return a->isIntOrPtrTy() && b->isIntOrPtrTy() &&
           (a->isPointerTy() ? 64 : a->getIntegerBitWidth()) !=
               (b->isPointerTy() ? 64 : b->getIntegerBitWidth());
  };
  for (unsigned i = 0; i < std::min(type->getNumParams(), call.arg_size()); ++i)
    if (differ(call.getArgOperand(i)->getType(), type->getParamType(i)))
      return true;
  return differ(call.getType(), type->getReturnType()) && !call.use_empty();
}

void warn(const CallInst &call, const Function &function) {
  std::string place = call.getFunction()->getName().str();
  if (const DebugLoc &location = call.getDebugLoc())
    place = (Twine(location->getFilename()) + ":" + Twine(location->getLine()) +
             ": " + place)
                .str();
  call.getContext().diagnose(DiagnosticInfoGeneric(
      place + "() calls " + function.getName() +
          "() with integers of another width than its definition has: "
          "extended as on x86-64",
      DS_Warning));
}

/// Replaces the call by one with the function's type.
void complete(CallInst &call, Function &function) {
  FunctionType *type = function.getFunctionType();
  IRBuilder<> builder(&call);
  SmallVector<Value *, 8> arguments;
  for (unsigned i = 0; i < type->getNumParams(); ++i) {
    Type *wanted = type->getParamType(i);
    Value *given = i < call.arg_size()
                       ? converted(builder, call.getArgOperand(i), wanted)
                       : nullptr;
    arguments.push_back(given ? given : Constant::getNullValue(wanted));
  }
  if (function.isVarArg())
    for (unsigned i = type->getNumParams(); i < call.arg_size(); ++i)
      arguments.push_back(call.getArgOperand(i));

  CallInst *whole = builder.CreateCall(&function, arguments);
  whole->setCallingConv(function.getCallingConv());
  // The function's attributes say how parameters are passed; the attributes of
  // the old call's arguments may not be true of the converted ones.
  for (unsigned i = 0; i < type->getNumParams(); ++i)
    for (auto kind : {Attribute::SExt, Attribute::ZExt, Attribute::ByVal,
                      Attribute::StructRet})
      if (function.hasParamAttribute(i, kind))
        whole->addParamAttr(i, function.getParamAttribute(i, kind));
  if (!call.getType()->isVoidTy() && !call.use_empty()) {
    Value *result = whole->getType()->isVoidTy()
                        ? nullptr
                        : converted(builder, whole, call.getType());
    call.replaceAllUsesWith(result ? result
                                   : Constant::getNullValue(call.getType()));
  }
  call.eraseFromParent();
}

} // namespace

PreservedAnalyses gpuexec::complete_calls(Module &module,
                                          ModuleAnalysisManager &) {
  bool changed = false;
  for (Function &function : module) {
    // A declaration may be as wrong as the call, so only calls of definitions
    // are completed; and calls of variadic functions, at which LLVM crashes.
    if (function.isIntrinsic() ||
        (function.isDeclaration() && !function.isVarArg()))
      continue;
    for (User *user : make_early_inc_range(function.users()))
      if (auto *call = dyn_cast<CallInst>(user);
          call && call->getCalledOperand() == &function &&
          call->getFunctionType() != function.getFunctionType()) {
        if (widths_differ(*call, function))
          warn(*call, function);
        complete(*call, function);
        changed = true;
      }
  }
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}
