//===-- toolchain/passes/shared/lifetimes.h - When variables live ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A variable of an inner scope has markers where its lifetime begins and ends.
// Code generators put variables that never live together in one place.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace gpuexec {

/// The function's variables of constant size that have lifetime markers.
llvm::SmallVector<llvm::AllocaInst *>
variables_with_lifetimes(llvm::Function &function);

/// Tells which of some variables may be alive after a call.
class LiveVariables {
public:
  /// Analyses the function; calls that are added later are not known.
  LiveVariables(const llvm::Function &function,
                llvm::ArrayRef<llvm::AllocaInst *> variables);

  /// The variables that may be alive after the call.
  llvm::SmallVector<llvm::AllocaInst *>
  alive_after(const llvm::CallInst &call) const;

private:
  llvm::DenseMap<const llvm::CallInst *, llvm::SmallVector<llvm::AllocaInst *>>
      alive;
};

/// Adds markers that end the variables' lifetimes at the builder's position.
void end_lifetimes(llvm::IRBuilder<> &builder,
                   llvm::ArrayRef<llvm::AllocaInst *> variables);

} // namespace gpuexec
