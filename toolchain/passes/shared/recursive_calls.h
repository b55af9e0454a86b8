//===-- toolchain/passes/shared/recursive_calls.h - For AMD's attributor --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The AMDGPU attributor of LLVM 22 confuses two values in a recursive function:
// the result of its call of itself, and the value that the current activation
// returns. It replaces one by the other, which miscompiles the program or
// breaks the module. So while it runs, the values that recursive functions
// return, and the results of calls among them, are hidden from it.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/PassInstrumentation.h>

namespace gpuexec {

/// Registers callbacks that hide these values before the attributor runs and
/// restore them afterwards.
void protect_recursive_calls(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace gpuexec
