//===-- toolchain/passes/shared/kernel_inputs.h - Of AMD's kernels --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's kernels get the numbers of thread and block and some addresses in
// registers. A function that needs one of these inputs, or calls a function
// that does, gets it from its caller in a register, and keeps it for its
// callees. A recursive function would keep up to twelve of them in each frame,
// only for the function that ends the program when memory is exhausted.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Makes kernels store these inputs in the thread's record (thread_record.h),
/// and functions load them from there instead of getting them from callers.
void keep_kernel_inputs(llvm::Module &module);

} // namespace gpuexec
