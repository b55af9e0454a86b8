//===-- toolchain/passes/shared/variadic_call.h - Slots of 8 bytes --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variable arguments lie in slots of 8 bytes, as on x86-64: an argument begins
// at the next multiple of 8, whatever its alignment is. The reading side is
// va_arg (toolchain/newlib/config/gpuexec/variable_arguments.h). LLVM's
// ExpandVariadics, which runs after all our passes, packs the arguments of a
// call by the sizes and alignments of their types, which keeps whole slots as
// they are.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/PassManager.h>

namespace gpuexec {

/// Calls `change` with each call in the module of a variadic function, direct
/// or through a pointer, except LLVM's intrinsics. `change` may erase the call,
/// and returns whether it has changed anything.
llvm::PreservedAnalyses
change_variadic_calls(llvm::Module &module,
                      llvm::function_ref<bool(llvm::CallBase &)> change);

/// Collects new variable arguments for a call and replaces it. The arguments of
/// named parameters stay as they are.
class VariadicCall {
public:
  explicit VariadicCall(llvm::CallBase &call);

  /// Passes the call's argument `index` as it is.
  void keep(unsigned index);
  /// Passes a value as the next argument.
  void pass(llvm::Value *value);
  /// Passes `bytes` bytes of memory in whole slots as the next argument.
  /// Returns a local variable, in which the caller of this function must store
  /// them before the call; the rest of the last slot is set to zero.
  llvm::AllocaInst *pass_memory(llvm::IRBuilder<> &builder, uint64_t bytes);
  /// Makes the new call and erases the old one.
  void finish();

private:
  llvm::CallBase &call;
  llvm::SmallVector<llvm::Value *, 8> arguments;
  llvm::SmallVector<llvm::AttributeSet, 8> attributes;
  bool passes_memory = false;
};

} // namespace gpuexec
