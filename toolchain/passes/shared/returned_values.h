//===-- toolchain/passes/shared/returned_values.h - For AMD's attributor --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The AMDGPU attributor of LLVM 22 replaces values by what functions return,
// and errs. In a recursive function it takes the result of the function's call
// of itself for what the current activation returns. Where functions return
// either an argument or null (the latter when an exception passes), it took the
// result of one call behind another for null. So while it runs, the values that
// functions return are hidden from it, and the results of recursive calls.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/PassInstrumentation.h>

namespace gpuexec {

/// Registers callbacks that hide these values before the attributor runs and
/// restore them afterwards.
void hide_returned_values(llvm::PassInstrumentationCallbacks &callbacks);

} // namespace gpuexec
