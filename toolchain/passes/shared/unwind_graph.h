//===-- toolchain/passes/shared/unwind_graph.h - Who unwinds ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Which calls of a whole program may return because their thread unwinds
/// (unwinding.h). Functions unwind that begin to (the sources), and those that
/// call one that does.
class UnwindGraph {
public:
  /// `handlers_stop`: what unwinds goes no further than a landing pad that
  /// takes everything, as exceptions do and jumps do not.
  UnwindGraph(llvm::Module &module, llvm::ArrayRef<llvm::Function *> sources,
              bool handlers_stop);

  bool may_unwind(const llvm::Function &function) const {
    return unwinding.contains(&function);
  }
  /// A call through a pointer may reach every function that takes such
  /// arguments and whose address is taken.
  bool may_unwind(const llvm::CallBase &call) const;

  /// A function outside the module that may call one that unwinds, or null. It
  /// was compiled before the link: it does not test whether it must return.
  const llvm::Function *opaque() const { return called_opaque; }

private:
  using Callers = llvm::SmallVector<llvm::Function *, 4>;

  void find_callers(bool handlers_stop);
  void add(llvm::Function &function);
  void add_pointers_to(const llvm::Function &function);
  bool is_reachable_from_outside() const;

  llvm::Module &module;
  llvm::DenseMap<const llvm::Function *, Callers> callers;
  /// Of pointers to functions of the type, that nobody is known to unwind by.
  llvm::MapVector<const llvm::FunctionType *, Callers> pointer_callers;
  llvm::DenseSet<const llvm::Function *> unwinding;
  llvm::SmallVector<llvm::Function *> to_visit;           ///< of `unwinding`
  llvm::SmallVector<const llvm::Function *> with_address; ///< of `unwinding`
  const llvm::Function *called_opaque = nullptr;
};

} // namespace gpuexec
