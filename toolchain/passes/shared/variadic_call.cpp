//===-- toolchain/passes/shared/variadic_call.cpp - See variadic_call.h ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "toolchain/passes/shared/variadic_call.h"
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

using namespace llvm;

static bool is_variadic(const CallBase &call) {
  return call.getFunctionType()->isVarArg() && !isa<IntrinsicInst>(call) &&
         !call.isInlineAsm() && (isa<CallInst>(call) || isa<InvokeInst>(call));
}

PreservedAnalyses
gpuexec::change_variadic_calls(Module &module,
                               function_ref<bool(CallBase &)> change) {
  bool changed = false;
  for (Function &function : module)
    for (Instruction &instruction :
         make_early_inc_range(instructions(function)))
      if (auto *call = dyn_cast<CallBase>(&instruction);
          call && is_variadic(*call))
        changed |= change(*call);
  return changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

gpuexec::VariadicCall::VariadicCall(CallBase &call) : call(call) {
  for (unsigned i = 0; i < call.getFunctionType()->getNumParams(); ++i)
    keep(i);
}

void gpuexec::VariadicCall::keep(unsigned index) {
  arguments.push_back(call.getArgOperand(index));
  attributes.push_back(call.getAttributes().getParamAttrs(index));
}

void gpuexec::VariadicCall::pass(Value *value) {
  arguments.push_back(value);
  attributes.push_back(AttributeSet());
}

AllocaInst *gpuexec::VariadicCall::pass_memory(IRBuilder<> &builder,
                                               uint64_t bytes) {
  constexpr uint64_t SLOT = 8;
  const uint64_t size = alignTo(bytes, SLOT);
  Type *type = ArrayType::get(builder.getInt64Ty(), size / SLOT);
  BasicBlock &entry = call.getFunction()->getEntryBlock();
  auto *memory = new AllocaInst(type, call.getDataLayout().getAllocaAddrSpace(),
                                nullptr, Align(SLOT), "variable.argument",
                                entry.getFirstNonPHIOrDbg());
  if (bytes != size)
    builder.CreateMemSet(memory, builder.getInt8(0), size, Align(SLOT));
  pass(memory);
  AttrBuilder by_value(call.getContext());
  by_value.addByValAttr(type).addAlignmentAttr(Align(SLOT));
  attributes.back() = AttributeSet::get(call.getContext(), by_value);
  passes_memory = true;
  return memory;
}

void gpuexec::VariadicCall::finish() {
  SmallVector<OperandBundleDef, 1> bundles;
  call.getOperandBundlesAsDefs(bundles);
  CallBase *changed;
  if (auto *invoke = dyn_cast<InvokeInst>(&call)) {
    changed =
        InvokeInst::Create(call.getFunctionType(), call.getCalledOperand(),
                           invoke->getNormalDest(), invoke->getUnwindDest(),
                           arguments, bundles, "", call.getIterator());
  } else {
    auto *simple =
        CallInst::Create(call.getFunctionType(), call.getCalledOperand(),
                         arguments, bundles, "", call.getIterator());
    // The callee of a tail call must not access variables of the caller, so a
    // call that passes memory is no tail call.
    if (!passes_memory)
      simple->setTailCallKind(cast<CallInst>(call).getTailCallKind());
    changed = simple;
  }
  const AttributeList before = call.getAttributes();
  changed->setAttributes(AttributeList::get(call.getContext(),
                                            before.getFnAttrs(),
                                            before.getRetAttrs(), attributes));
  changed->setCallingConv(call.getCallingConv());
  changed->copyMetadata(call);
  changed->setDebugLoc(call.getDebugLoc());
  changed->takeName(&call);
  call.replaceAllUsesWith(changed);
  call.eraseFromParent();
}
