//===-- toolchain/passes/shared/generic_structures.h ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On AMD, clang takes and returns large structures by addresses of private
// memory. C++ needs generic pointers in some of these places.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_TOOLCHAIN_GENERIC_STRUCTURES_H
#define GPUEXEC_TOOLCHAIN_GENERIC_STRUCTURES_H

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace gpuexec {

enum class Structures {
  returned,   ///< results, in the code of one file
  of_program, ///< results and arguments, in a whole program at the link
};

/// Makes generic pointers of these addresses, in functions and in calls. A
/// module without code of C++ stays as it is.
llvm::PreservedAnalyses make_structures_generic(llvm::Module &module,
                                                Structures which);

} // namespace gpuexec

#endif
