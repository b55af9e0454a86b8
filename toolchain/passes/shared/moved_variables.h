//===-- toolchain/passes/shared/moved_variables.h - Off the stack -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What passes share that move local variables to memory of the thread's own.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/Instructions.h>

namespace gpuexec {

/// The variable is used by its generic address alone.
bool can_move(const llvm::AllocaInst &variable);

/// Puts `address` in the variable's place, and erases it.
void replace_variable(llvm::AllocaInst &variable, llvm::Value *address);

/// __gpuexec_begin_variables(size, alignment), both i64, of the C library: it
/// returns memory that is freed in the order of a stack
/// (libc-shim/abi/large_variables.c).
llvm::FunctionCallee begin_variables(llvm::Module &module);

} // namespace gpuexec
