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

} // namespace gpuexec
