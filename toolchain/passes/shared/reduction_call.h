//===-- toolchain/passes/shared/reduction_call.h - clang's calls ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the arguments that clang 22 passes in the calls at the end of OpenMP's
// constructs, before any pass has changed them.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_PASSES_REDUCTION_CALL_H
#define GPUEXEC_PASSES_REDUCTION_CALL_H

#include <llvm/IR/Instructions.h>

namespace gpuexec {

// Arguments of RuntimeName::omp_clang_reduce, at the end of a reduction: source
// location, size, list, function for shuffles, function for copies.

/// An array of pointers to variables, which clang builds for a call.
struct List {
  llvm::SmallVector<llvm::Value *> pointers; ///< null: not found
};

/// The pointers that the program stores in `list`, a local variable; no
/// pointers if `list` is something else.
List read_list(llvm::Value *list);

/// The function that combines two lists, which clang's function for shuffles
/// calls; null if there is none.
llvm::Function *find_combiner(llvm::Function &shuffles);

} // namespace gpuexec

#endif
