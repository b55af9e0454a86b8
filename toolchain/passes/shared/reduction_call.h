//===-- toolchain/passes/shared/reduction_call.h - clang's calls ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What clang 22 gives to the calls at the end of OpenMP's constructs, before
// any pass has changed it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_PASSES_REDUCTION_CALL_H
#define GPUEXEC_PASSES_REDUCTION_CALL_H

#include <llvm/IR/Instructions.h>

namespace gpuexec {

// The arguments of RuntimeName::omp_clang_reduce, at the end of a reduction:
// place, size, list, function for shuffles, function for copies.

/// A list of pointers to variables, as clang builds it for a call.
struct List {
  llvm::SmallVector<llvm::Value *> pointers; ///< null: not found
};

/// What the program stores into `list`, a local variable; no pointers if it is
/// something else.
List read_list(llvm::Value *list);

/// The function that combines two lists, which clang's function for shuffles
/// calls; null if there is none.
llvm::Function *find_combiner(llvm::Function &shuffles);

} // namespace gpuexec

#endif
