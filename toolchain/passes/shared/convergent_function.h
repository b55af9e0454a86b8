//===-- toolchain/passes/shared/convergent_function.h ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

/// A function of the C library in which lanes act together.
inline llvm::FunctionCallee
convergent_function(llvm::Module &module, llvm::StringRef name,
                    llvm::Type *result,
                    llvm::ArrayRef<llvm::Type *> parameters) {
  llvm::FunctionCallee callee = module.getOrInsertFunction(
      name, llvm::FunctionType::get(result, parameters, false));
  llvm::cast<llvm::Function>(callee.getCallee())->setConvergent();
  return callee;
}

} // namespace gpuexec
