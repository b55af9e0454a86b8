//===-- toolchain/passes/shared/own_variables.h - errno, optarg -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// errno, optarg and similar variables, of which each thread has its own. The C
// library has a function for each that returns the address of the calling
// thread's; programs use them like ordinary variables.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Makes instructions use the function's result instead of the variable's
/// address. Initialisers of variables keep the variable's own address.
void bind_own_variable(llvm::GlobalVariable &variable,
                       llvm::Function &function);

} // namespace gpuexec
