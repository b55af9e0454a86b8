//===-- toolchain/passes/shared/array_reduction.h - One array -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_PASSES_ARRAY_REDUCTION_H
#define GPUEXEC_PASSES_ARRAY_REDUCTION_H

#include "toolchain/passes/shared/reduction_call.h"
#include <llvm/IR/ValueHandle.h>
#include <optional>

namespace gpuexec {

/// A reduction of one array.
struct ArrayReduction {
  llvm::CallInst *call;    ///< of RuntimeName::omp_clang_reduce, at its end
  llvm::AllocaInst *array; ///< a thread's copy
  llvm::Instruction::BinaryOps operation;
  llvm::Type *element;
  uint64_t bytes;
  /// The pointer of clang's loop that makes the array zero.
  llvm::PHINode *clearing = nullptr;
  /// The pointers of clang's loop in which the thread with the result reads it.
  llvm::SmallVector<llvm::WeakTrackingVH> copied = {};
};

/// Reads the reduction that ends at `call`. Call it before another pass has
/// changed clang's code. Returns nullopt unless it is a reduction of one array
/// of words of 32 or 64 bits that starts with zero, larger than OMP_PART bytes
/// (smaller ones are in registers) and at most OMP_SHARED.
std::optional<ArrayReduction> read_reduction(llvm::CallInst &call);

} // namespace gpuexec

#endif
