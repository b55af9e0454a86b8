//===-- toolchain/passes/shared/busy_waits.h - while (!flag); ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A busy wait is a loop that another thread ends: a round of it changes
// nothing, and how it is left depends on memory that each round reads anew. On
// an AMD GPU a lane cannot wait for a lane of its own wave in this way.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace gpuexec {

struct BusyWait {
  llvm::BasicBlock *header; ///< of the loop
  llvm::DebugLoc location;  ///< where it is in the source; null if unknown
};

/// The busy waits of a module that no optimisation has changed. `analyses`:
/// those of its functions.
llvm::SmallVector<BusyWait>
find_busy_waits(llvm::Module &module, llvm::FunctionAnalysisManager &analyses);

} // namespace gpuexec
