//===-- toolchain/passes/shared/threads.h - Programs with threads *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Module.h>

namespace gpuexec {

/// __gpuexec_more_frames(end, size), both i64, of the C library: a chunk of
/// memory that all threads see (libc-shim/abi/shared_stack.c). Null in a program
/// that neither creates threads nor uses OpenMP.
inline llvm::Function *more_frames(llvm::Module &module) {
  llvm::Function *function = module.getFunction("__gpuexec_more_frames");
  return function && !function->isDeclaration() ? function : nullptr;
}

} // namespace gpuexec
