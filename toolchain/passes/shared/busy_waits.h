//===-- toolchain/passes/shared/busy_waits.h - while (!flag); ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A busy wait is a loop that another thread ends: a round of it changes
// nothing, and how it is left depends on memory that each round reads anew. On
// an AMD GPU a lane cannot wait for a lane of its own wave in this way.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace gpuexec {

struct BusyWait {
  llvm::BasicBlock *header; ///< of the loop
  llvm::DebugLoc location;  ///< where it is in the source; null if unknown
};

/// Finds the busy waits of a module that no optimisation has changed.
class BusyWaits {
public:
  explicit BusyWaits(llvm::FunctionAnalysisManager &analyses)
      : analyses(analyses) {}

  llvm::SmallVector<BusyWait> find(llvm::Function &function);

private:
  enum class Effect { none, reads, flushes, other };
  friend class Round;

  bool may_have_any(llvm::Function &function);
  Effect effect_of(const llvm::Instruction &instruction);
  Effect effect_of(const llvm::Function &callee);

  llvm::FunctionAnalysisManager &analyses;
  llvm::DenseMap<const llvm::Function *, Effect> effects;
};

} // namespace gpuexec
