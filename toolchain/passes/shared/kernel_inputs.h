//===-- toolchain/passes/shared/kernel_inputs.h - Of AMD's kernels -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AMD's kernels get numbers of threads and blocks and some addresses in
// registers. A function that needs one of them, or calls a function that does,
// gets it from its caller, in a register that it keeps for the functions that
// it calls. A recursive function would keep up to twelve of them in each frame,
// for what ends the program when memory is out.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Makes kernels store these inputs to the thread's record (thread_record.h),
/// and functions load them from there: they are not passed on any more.
void keep_kernel_inputs(llvm::Module &module);

} // namespace gpuexec
