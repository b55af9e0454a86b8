//===-- toolchain/passes/shared/lifetimes.h - When variables live -*- C++ -*-===//
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

/// The function's variables of constant size that have markers.
llvm::SmallVector<llvm::AllocaInst *>
variables_with_lifetimes(llvm::Function &function);

/// Which of some variables may live where.
class LiveVariables {
public:
  /// Asks for the calls that are there now.
  LiveVariables(const llvm::Function &function,
                llvm::ArrayRef<llvm::AllocaInst *> variables);

  /// Those that may live behind the call.
  llvm::SmallVector<llvm::AllocaInst *>
  alive_after(const llvm::CallInst &call) const;

private:
  llvm::DenseMap<const llvm::CallInst *, llvm::SmallVector<llvm::AllocaInst *>>
      alive;
};

/// Ends the lifetimes where the builder stands.
void end_lifetimes(llvm::IRBuilder<> &builder,
                   llvm::ArrayRef<llvm::AllocaInst *> variables);

} // namespace gpuexec
