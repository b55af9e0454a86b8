//===-- toolchain/passes/shared/captures.h - Who gets an address *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/IR/Instructions.h>

namespace gpuexec {

/// Is it a call of va_start, va_copy or va_end?
bool is_of_va_list(const llvm::Instruction &instruction);

/// May another thread get to know `address`, of a local variable or an
/// argument, and access the memory there? Returning the address from the
/// function does not count.
bool may_reach_other_threads(const llvm::Value &address);

} // namespace gpuexec
