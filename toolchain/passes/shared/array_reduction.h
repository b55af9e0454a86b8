//===-- toolchain/passes/shared/array_reduction.h - One array -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_PASSES_ARRAY_REDUCTION_H
#define GPUEXEC_PASSES_ARRAY_REDUCTION_H

#include "toolchain/passes/shared/reduction_call.h"
#include <llvm/IR/ValueHandle.h>
#include <optional>

namespace gpuexec {

/// A reduction of one array, which ends at `call` of
/// RuntimeName::omp_clang_reduce.
struct ArrayReduction {
  llvm::CallInst *call;
  llvm::AllocaInst *array; ///< a thread's copy
  llvm::Instruction::BinaryOps operation;
  llvm::Type *element;
  uint64_t bytes;
  /// The pointer of clang's loop that makes the array zero.
  llvm::PHINode *clearing = nullptr;
  /// The pointers of clang's loop in which the thread with the result reads it.
  llvm::SmallVector<llvm::WeakTrackingVH> copied = {};
};

/// The reduction of one array of words of 32 or 64 bits that ends at the
/// call and begins with zero. To be asked before any other pass has changed
/// what clang made. nullopt: it is another one, or its array is so small that
/// it is in registers, or larger than a block has memory for.
std::optional<ArrayReduction> read_reduction(llvm::CallInst &call);

} // namespace gpuexec

#endif
