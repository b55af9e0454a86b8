//===-- toolchain/passes/language/widen_variadic_arguments.cpp ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Some programs pass a size_t for the int of "%d", or end a list of pointers
// with a plain 0. That works on x86-64, where each variable argument has a slot
// of 8 bytes. LLVM packs the arguments to multiples of 4 bytes on AMD, and
// aligns each of them on NVIDIA: after a va_arg of another width all later
// arguments are wrong.
//
// This pass gives each variable argument whole slots (shared/variadic_call.h).
// Integers are extended with zeros, as by moves between x86-64's registers. It
// runs at the link, also on the C library's calls, before LLVM's
// ExpandVariadics. It runs a second time for calls in files compiled with
// -fno-lto and for calls that LLVM's passes have added.
//===----------------------------------------------------------------------===//
#include "toolchain/passes/passes.h"
#include "toolchain/passes/shared/variadic_call.h"
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace {

constexpr uint64_t SLOT_BITS = 64;

/// Does LLVM give a value of this type one whole slot anyway?
bool fills_slot(Type *type, const DataLayout &layout) {
  return (type->isIntegerTy() || type->isDoubleTy() || type->isPointerTy()) &&
         layout.getTypeSizeInBits(type) == SLOT_BITS;
}

/// `value`, which fits into a slot, as an integer of a slot's size.
Value *widened(IRBuilder<> &builder, Value *value, const DataLayout &layout) {
  Type *type = value->getType();
  if (type->isPointerTy())
    value = builder.CreatePtrToInt(value, layout.getIntPtrType(type));
  else if (!type->isIntegerTy())
    value = builder.CreateBitCast(
        value, builder.getIntNTy(unsigned(layout.getTypeSizeInBits(type))));
  return builder.CreateZExt(value, builder.getInt64Ty());
}

/// Gives all variable arguments of the call whole slots.
bool widen(CallBase &call) {
  const DataLayout &layout = call.getDataLayout();
  const unsigned named = call.getFunctionType()->getNumParams();
  auto is_whole = [&](unsigned i) {
    return call.paramHasAttr(i, Attribute::ByVal) ||
           fills_slot(call.getArgOperand(i)->getType(), layout);
  };
  if (all_of(seq(named, unsigned(call.arg_size())), is_whole))
    return false;

  gpuexec::VariadicCall changed(call);
  IRBuilder<> builder(&call);
  for (unsigned i = named; i < call.arg_size(); ++i) {
    Value *value = call.getArgOperand(i);
    Type *type = value->getType();
    if (is_whole(i))
      changed.keep(i);
    else if (!type->isAggregateType() &&
             layout.getTypeSizeInBits(type) <= SLOT_BITS)
      changed.pass(widened(builder, value, layout));
    else if (const uint64_t bytes = layout.getTypeAllocSize(type))
      builder.CreateAlignedStore(value, changed.pass_memory(builder, bytes),
                                 Align(SLOT_BITS / 8));
  }
  changed.finish();
  return true;
}

} // namespace

PreservedAnalyses gpuexec::widen_variadic_arguments(Module &module,
                                                    ModuleAnalysisManager &) {
  return change_variadic_calls(module, widen);
}
