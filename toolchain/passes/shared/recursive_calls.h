//===-- toolchain/passes/shared/recursive_calls.h - For AMD's attributor --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The AMDGPU attributor of LLVM 22 confuses two values in a recursive function:
// the result of its call of itself, and the value that this activation is going
// to return. It takes one for the other, and the program is miscompiled or the
// module is broken. So it does not see, while it runs, what recursive functions
// return, nor what becomes of the results of calls among them.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/PassInstrumentation.h>

namespace gpuexec {

/// Registers what must happen before and after the attributor.
void protect_recursive_calls(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace gpuexec
