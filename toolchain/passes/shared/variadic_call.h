//===-- toolchain/passes/shared/variadic_call.h - Slots of 8 bytes -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variable arguments lie in slots of 8 bytes, as on x86-64: an argument begins
// at the next multiple of 8, whatever its alignment is. The reading side is
// va_arg (toolchain/newlib/config/gpuexec/variable_arguments.h). LLVM's
// ExpandVariadics, behind all passes of ours, packs the arguments of a call by
// their types' sizes and alignments. Whole slots thus stay as they are.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/PassManager.h>

namespace gpuexec {

/// Calls `change` with each call of a variadic function in the module, directly
/// or through a pointer, that is no intrinsic of LLVM's. `change` may erase the
/// call, and returns whether it has changed anything.
llvm::PreservedAnalyses
change_variadic_calls(llvm::Module &module,
                      llvm::function_ref<bool(llvm::CallBase &)> change);

/// Collects new arguments for a variadic call. Those that the function's type
/// names stay.
class VariadicCall {
public:
  explicit VariadicCall(llvm::CallBase &call);

  /// Passes the call's argument `index` as it is.
  void keep(unsigned index);
  void pass(llvm::Value *value);
  /// Passes `bytes` of memory in whole slots, whose rest is zero. Returns the
  /// variable in which the caller puts them before the call.
  llvm::AllocaInst *pass_memory(llvm::IRBuilder<> &builder, uint64_t bytes);
  /// Replaces the call, which is erased.
  void finish();

private:
  llvm::CallBase &call;
  llvm::SmallVector<llvm::Value *, 8> arguments;
  llvm::SmallVector<llvm::AttributeSet, 8> attributes;
  bool passes_memory = false;
};

} // namespace gpuexec
