//===-- emulator/ptx/host/liveness.h - Live across meetings ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_HOST_LIVENESS_H
#define GPUEXEC_EMULATOR_PTX_HOST_LIVENESS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Function.h"

namespace gpuexec::ptx::host {

using Values = llvm::SmallSetVector<llvm::Instruction *, 16>;

/// The values (no allocas) that are live where a block begins.
llvm::DenseMap<llvm::BasicBlock *, Values> live_in(llvm::Function &function);

/// Computes again, where it is used, what is cheap to compute from the launch
/// and the lane's place in it, instead of keeping it across `beginnings`.
void rematerialise(llvm::Function &function,
                   llvm::ArrayRef<llvm::BasicBlock *> beginnings);

/// The values that are equal in all lanes of a group that are together.
llvm::DenseSet<const llvm::Value *>
uniform_values(llvm::Function &function,
               llvm::ArrayRef<llvm::Instruction *> candidates);

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_HOST_LIVENESS_H
