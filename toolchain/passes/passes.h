//===-- toolchain/passes/passes.h - The passes as functions -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each pass of passes.def is a function that changes one module or function of
// its targets and returns the analyses that are still valid. Passes run also at
// -O0 and on functions with optnone: without most of them programs are wrong or
// do not compile.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/CodeGen/MachinePassManager.h>
#include <llvm/IR/PassManager.h>

namespace gpuexec {

#define PASS(name, kind, unit, ...)                                            \
  llvm::PreservedAnalyses name(llvm::unit &, llvm::unit##AnalysisManager &);
#include "toolchain/passes/passes.def"
#undef PASS

/// Would LLVM's InferAddressSpaces break the function? (keep_flat_pointers.cpp)
bool loses_pointers(const llvm::Function &function);

/// Before a module that no pass has seen is written: what restore_stack does,
/// and the next clang's restore_stack needs (restore_stack.cpp).
void store_stack(llvm::Module &module);

} // namespace gpuexec
