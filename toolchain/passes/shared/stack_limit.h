//===-- toolchain/passes/shared/stack_limit.h - How full it is --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loader writes the depths of the stack at which programs must do something
// about it to a variable of the image (gpu/start_up.h). Without such a loader
// the depths are never reached.
//
// On AMD GPUs a register has the depth. On NVIDIA GPUs a function knows only
// addresses of local variables, which fall as the stack grows: each kernel
// computes the addresses that belong to the depths when it starts.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

enum class StackLimit : unsigned {
  soft, ///< recursion goes on in the heap
  hard, ///< the program ends
};

/// Adds the variables, and to NVIDIA's kernels what they compute.
void add_stack_limits(llvm::Module &module);

/// Is the stack fuller than `limit`, in the function where the builder stands?
/// After add_stack_limits().
llvm::Value *is_beyond(llvm::IRBuilder<> &builder, StackLimit limit);

/// i32: bytes of stack that a thread has. After add_stack_limits().
llvm::Value *stack_size(llvm::IRBuilder<> &builder);

/// For AMD GPUs: does the stack pointer count bytes of a lane? On older GPUs it
/// counts bytes of a whole wave.
bool stack_counts_by_lane(const llvm::Function &function);

/// For AMD GPUs: log2 of a wave's lanes.
unsigned wave_shift(const llvm::Function &function);

} // namespace gpuexec
