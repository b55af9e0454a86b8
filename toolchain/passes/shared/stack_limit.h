//===-- toolchain/passes/shared/stack_limit.h - How full it is --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of a thread's stack. The loader writes two depths, in bytes, to a
// variable of the image (gpu/start_up.h); with another loader the variable has
// depths that are never reached.
//
// On AMD GPUs a register has the current depth. On NVIDIA GPUs a function knows
// only the addresses of its local variables, which fall as the stack grows:
// each kernel computes the addresses at the two depths when it starts.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

enum class StackLimit : unsigned {
  soft, ///< above this depth recursion continues in the heap
  hard, ///< above this depth the program ends
};

/// Adds the variable, and on NVIDIA the code in kernels that computes
/// addresses.
void add_stack_limits(llvm::Module &module);

/// i1: is the stack fuller than `limit` in the builder's function? Call it
/// after add_stack_limits().
llvm::Value *is_beyond(llvm::IRBuilder<> &builder, StackLimit limit);

/// i32: the size of a thread's stack in bytes. Call it after
/// add_stack_limits().
llvm::Value *stack_size(llvm::IRBuilder<> &builder);

/// For AMD GPUs: does the stack pointer count bytes of one lane? On older GPUs
/// it counts bytes of all lanes of a wave.
bool stack_counts_by_lane(const llvm::Function &function);

/// For AMD GPUs: log2 of a wave's lanes.
unsigned wave_shift(const llvm::Function &function);

} // namespace gpuexec
