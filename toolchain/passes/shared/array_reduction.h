//===-- toolchain/passes/shared/array_reduction.h - What clang makes ------===//
#ifndef GPUEXEC_PASSES_ARRAY_REDUCTION_H
#define GPUEXEC_PASSES_ARRAY_REDUCTION_H

#include <llvm/IR/Instructions.h>
#include <llvm/IR/ValueHandle.h>
#include <optional>

namespace gpuexec {

/// clang's call at the end of a reduction.
inline constexpr llvm::StringRef REDUCE =
    "__kmpc_nvptx_parallel_reduce_nowait_v2";

/// A reduction of one array, by a call of REDUCE.
struct ArrayReduction {
  llvm::CallInst *call;
  llvm::AllocaInst *array; ///< a thread's copy
  llvm::Instruction::BinaryOps operation;
  llvm::Type *element;
  uint64_t bytes;
  llvm::PHINode *clearing = nullptr;        ///< of clang's loop that makes it zero
  llvm::SmallVector<llvm::WeakTrackingVH> copied = {}; ///< phis of clang's loop that reads it
};

/// The reduction of one array of words of 32 or 64 bits that ends at a call of
/// REDUCE and begins with zero. To be asked before any other pass has changed
/// what clang made. nullopt: it is another one, or its array is so small that
/// it is in registers, or larger than a block has memory for.
std::optional<ArrayReduction> read_reduction(llvm::CallInst &call);

} // namespace gpuexec

#endif
