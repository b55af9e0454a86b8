//===-- toolchain/passes/shared/thread_locals.h - Functions of libc.a -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Module.h>

namespace gpuexec {

/// ptr (ptr first, ptr image, i64 image size, i64 size, i64 alignment): see
/// libc-shim/abi/thread_locals.c.
inline llvm::Function *begin_thread_locals(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0);
  llvm::Type *size = llvm::Type::getInt64Ty(context);
  return llvm::cast<llvm::Function>(
      module
          .getOrInsertFunction("__gpuexec_begin_thread_locals", pointer,
                               pointer, pointer, size, size, size)
          .getCallee());
}

} // namespace gpuexec
