//===-- toolchain/passes/shared/moved_variables.h - Off the stack ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers of passes that move local variables from the stack to other memory of
// the thread.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/Instructions.h>

namespace gpuexec {

/// Is the variable used only by its generic address?
bool can_move(const llvm::AllocaInst &variable);

/// Replaces the variable, for which can_move() is true, by `address`, and
/// erases it.
void replace_variable(llvm::AllocaInst &variable, llvm::Value *address);

} // namespace gpuexec
