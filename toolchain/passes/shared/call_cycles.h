//===-- toolchain/passes/shared/call_cycles.h - Recursion -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <vector>

namespace gpuexec {

/// The function that is called directly and by its own type, or null.
llvm::Function *direct_callee(const llvm::CallBase &call);

/// Which functions of a module a call may reach.
class CallTargets {
public:
  enum class Calls { direct, all };

  /// With Calls::direct calls through pointers reach nothing.
  CallTargets(llvm::Module &module, Calls calls);

  /// A call through a pointer may reach the functions of its type whose address
  /// is taken. There are none when these are too many to be compared with, or
  /// when functions of the type have no parameters: those are handlers and
  /// constructors.
  llvm::ArrayRef<llvm::Function *> of(const llvm::CallBase &call) const;

private:
  llvm::DenseMap<const llvm::FunctionType *,
                 llvm::SmallVector<llvm::Function *, 2>>
      with_address;
  llvm::DenseMap<const llvm::Function *, llvm::Function *> defined;
};

/// Functions that call each other: a strongly connected component of the graph
/// of calls, in which at least one call is recursive.
struct CallCycle {
  llvm::SetVector<llvm::Function *> members;
  /// Every chain of calls that comes back to where it began passes through one
  /// of these members.
  llvm::SetVector<llvm::Function *> heads;
};

/// The cycles among functions of the module that something may call.
std::vector<CallCycle> find_call_cycles(llvm::Module &module,
                                        const CallTargets &targets);

/// The cycles of calls among `functions` alone.
std::vector<CallCycle>
find_call_cycles(llvm::ArrayRef<llvm::Function *> functions,
                 const CallTargets &targets);

} // namespace gpuexec
