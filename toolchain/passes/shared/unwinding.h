//===-- toolchain/passes/shared/unwinding.h - Frames are left ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU can neither save nor restore a stack. A thread that must leave several
// functions at once therefore returns from each: it unwinds. The function that
// begins it, a source, writes a status to the thread's record and returns.
// Behind every call that may unwind, the caller tests the status, and returns
// too, or goes on at its landing.
//
// Three questions, and who answers them:
//   Which calls may unwind?      UnwindGraph (unwind_graph.h), from the sources
//   Where does control go?       to the function's Landing, else to its caller
//   Why does the thread unwind?  UnwindStatus, in the thread's record
//
// What else a source and a landing tell each other (which activation, which
// value) is theirs: lower_jumps has members of the record for it. A pass that
// adds another reason adds an UnwindStatus, sources and landings; all reasons
// of a program share one Unwinding, so that a call has one test. A function has
// one landing, which asks for the status if there are several reasons.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Why the thread unwinds.
enum class UnwindStatus : uint32_t {
  none, ///< it does not
  jump, ///< longjmp, to a setjmp
};

/// Stores the status in the calling thread's record.
void set_status(llvm::IRBuilder<> &builder, llvm::Value *record,
                UnwindStatus status);

/// i1: does the calling thread unwind?
llvm::Value *is_unwinding(llvm::IRBuilder<> &builder, llvm::Value *record);

/// The calling thread's record, at the beginning of `function`, behind which
/// the builder then stands.
llvm::Value *record_at_start(llvm::Function &function,
                             llvm::IRBuilder<> &builder);

/// Where a function goes on when a call in it has returned unwinding. Code
/// there takes the thread (and sets the status to `none`), or branches to a
/// block of Unwinding::add_way_out().
struct Landing {
  llvm::BasicBlock *block = nullptr;
  /// Variables of scopes that each way to the landing leaves.
  llvm::SmallVector<llvm::AllocaInst *> left;
};

/// The unwinding of a whole program.
class Unwinding {
public:
  /// `lost`, without parameters, ends the program. A kernel calls it when a
  /// thread comes back to it unwinding.
  Unwinding(llvm::Module &module, llvm::Function &lost)
      : module(module), lost(lost) {}

  /// `function` sets a status and returns.
  void add_source(llvm::Function &function) { sources.push_back(&function); }

  /// `function` has a landing. Its calls are tested when the program is.
  void add_landing(llvm::Function &function, Landing landing) {
    landings[&function] = std::move(landing);
  }

  /// A block that leaves `function`, unwinding: by a return with any value, or
  /// in a kernel by `lost`.
  llvm::BasicBlock *add_way_out(llvm::Function &function) const;

  /// Adds the tests and returns, and the kernels' first status. Reports an
  /// error if code that cannot be changed may have to unwind; `reason` says in
  /// the message what would pass through it ("longjmp").
  void run(llvm::StringRef reason);

private:
  void add_tests(llvm::Function &function,
                 llvm::ArrayRef<llvm::CallInst *> calls);

  llvm::Module &module;
  llvm::Function &lost;
  llvm::SmallVector<llvm::Function *> sources;
  llvm::DenseMap<llvm::Function *, Landing> landings;
};

} // namespace gpuexec
