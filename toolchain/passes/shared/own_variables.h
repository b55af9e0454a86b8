//===-- toolchain/passes/shared/own_variables.h - errno, optarg -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables of C that belong to a thread. The library has a function for each
// that returns this thread's address; programs use them like variables.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Instructions use the function's result instead of the variable's address.
/// An initialiser keeps the variable's own address.
void bind_own_variable(llvm::GlobalVariable &variable,
                       llvm::Function &function);

} // namespace gpuexec
