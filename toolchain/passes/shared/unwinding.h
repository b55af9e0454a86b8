//===-- toolchain/passes/shared/unwinding.h - Jumps by returning ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU can neither save nor restore a stack. A jump to a function that is
// still active is made of ordinary returns: the source of the jump notes its
// target in the thread's record and returns; behind every call that such a
// source may end, the caller tests whether its thread is jumping, and returns
// too; the target tests that as well and goes on at its landing.
//
// What jumps, where to and what is handed over does not matter here: setjmp is
// lower_jumps.cpp's.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Which functions of a whole program may end by a jump.
class Jumpers {
public:
  /// `sources` are the functions that begin a jump.
  Jumpers(llvm::Module &module, llvm::ArrayRef<llvm::Function *> sources);

  bool may_jump(const llvm::Function &function) const {
    return jumpers.contains(&function);
  }
  /// A call through a pointer may jump when any function does whose address is
  /// taken and that takes such arguments.
  bool may_jump(const llvm::CallBase &call) const;

  /// A function outside the module that may call one that jumps, or null: it
  /// was compiled before the link and does not return through its frame.
  const llvm::Function *opaque() const { return called_opaque; }

private:
  void find_callers();
  bool pointer_may_jump(const llvm::CallBase &call) const;

  llvm::Module &module;
  llvm::DenseSet<const llvm::Function *> jumpers;
  llvm::SmallVector<const llvm::Function *> jumpers_with_address;
  const llvm::Function *called_opaque = nullptr;
};

/// Where a function goes when a call in it has ended by a jump.
struct Landing {
  llvm::BasicBlock *block = nullptr;
  /// Variables of scopes that every jump to the function leaves.
  llvm::SmallVector<llvm::AllocaInst *> left;
};
using Landings = llvm::DenseMap<llvm::Function *, Landing>;

/// Adds the tests behind calls and the returns. A function that is in
/// `landings` goes there; in a kernel, where no target is left, `lost` is
/// called.
void unwind_by_returning(llvm::Module &module, const Jumpers &jumpers,
                         const Landings &landings, llvm::Function &lost);

/// A block that leaves `function` with the jump: by a return with any value, or
/// in a kernel by `lost`.
llvm::BasicBlock *add_way_out(llvm::Function &function, llvm::Function &lost);

/// The calling thread's record, at the beginning of `function`, behind which
/// the builder then stands.
llvm::Value *record_at_start(llvm::Function &function,
                             llvm::IRBuilder<> &builder);

} // namespace gpuexec
