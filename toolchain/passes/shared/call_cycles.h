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

/// The function that the call names, if the call has the function's type; else
/// null.
llvm::Function *direct_callee(const llvm::CallBase &call);

/// Tells which functions of a module a call may reach.
class CallTargets {
public:
  enum class Calls { direct, all };

  /// Calls::direct: calls through pointers are taken to reach no function.
  CallTargets(llvm::Module &module, Calls calls);

  /// The functions defined in the module that a call may reach. Through a
  /// pointer these are the functions of the call's type whose address is taken;
  /// but none if they are too many to compare the pointer with, or if they have
  /// no parameters, as handlers and constructors do.
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

/// The cycles among functions of the module that may be called.
std::vector<CallCycle> find_call_cycles(llvm::Module &module,
                                        const CallTargets &targets);

/// The cycles of calls among `functions` alone.
std::vector<CallCycle>
find_call_cycles(llvm::ArrayRef<llvm::Function *> functions,
                 const CallTargets &targets);

} // namespace gpuexec
