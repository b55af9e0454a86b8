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
// value) is theirs: the record has members for it. Another reason to unwind is
// an UnwindStatus with sources and landings; all reasons of a program share one
// Unwinding, so that a call has one test. A landing asks for the status if
// there are several reasons. Jumps (jumps.h) have one landing for a function,
// exceptions (exceptions.h) one for each landing pad: they test their calls.
//===----------------------------------------------------------------------===//
#pragma once
#include "toolchain/passes/shared/unwind_graph.h"
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <optional>

namespace gpuexec {

/// Why the thread unwinds.
enum class UnwindStatus : uint32_t {
  none,      ///< it does not
  jump,      ///< longjmp, to a setjmp
  exception, ///< throw, to a handler
};

/// Stores the status in the calling thread's record.
void set_status(llvm::IRBuilder<> &builder, llvm::Value *record,
                UnwindStatus status);

/// i1: does the calling thread unwind?
llvm::Value *is_unwinding(llvm::IRBuilder<> &builder, llvm::Value *record);

/// i1: does it unwind for this reason?
llvm::Value *is_unwinding(llvm::IRBuilder<> &builder, llvm::Value *record,
                          UnwindStatus reason);

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

/// The unwinding of a whole program. First sources and the landings of
/// functions are added; then it can tell which calls unwind, and landings of
/// single calls are made; run() does the rest.
class Unwinding {
public:
  /// What a kernel calls when a thread comes back to it unwinding. Neither
  /// returns; null if no thread does. `lost_jump` has no parameters,
  /// `lost_exception` gets the exception.
  Unwinding(llvm::Module &module, llvm::Function *lost_jump,
            llvm::Function *lost_exception)
      : module(module), lost_jump(lost_jump), lost_exception(lost_exception) {}

  /// `function` sets the status and returns.
  void add_source(llvm::Function &function, UnwindStatus status) {
    sources[unsigned(status)].push_back(&function);
  }

  /// `function` has a landing. Its calls are tested when the program is.
  void add_landing(llvm::Function &function, Landing landing) {
    landings[&function] = std::move(landing);
  }

  bool has_sources(UnwindStatus status) const {
    return !sources[unsigned(status)].empty();
  }
  bool may_unwind(const llvm::CallBase &call, UnwindStatus status);

  /// The block of the function's landing, or null.
  llvm::BasicBlock *landing(llvm::Function &function) const {
    return landings.lookup(&function).block;
  }

  /// A block that leaves `function`, unwinding: by a return with any value, or
  /// in a kernel by `lost_...`.
  llvm::BasicBlock *add_way_out(llvm::Function &function) const;

  /// Branches to `away` behind the call if the thread unwinds. run() leaves the
  /// call alone.
  void add_landing(llvm::CallInst &call, llvm::Value *record,
                   llvm::BasicBlock *away);

  /// Adds the tests and returns, and the kernels' first status. Reports an
  /// error if code that cannot be changed may have to unwind.
  void run();

private:
  UnwindGraph &graph(UnwindStatus status);
  bool may_unwind(const llvm::CallBase &call);
  void add_tests(llvm::Function &function,
                 llvm::ArrayRef<llvm::CallInst *> calls);
  void refuse_opaque(UnwindStatus status, llvm::StringRef reason);
  llvm::SmallVector<llvm::CallInst *> find_calls(llvm::Function &function);
  void end_lost_exception(llvm::Function &kernel, llvm::IRBuilder<> &builder,
                          llvm::Value *record) const;

  static constexpr unsigned STATUSES = 3;
  llvm::Module &module;
  llvm::Function *lost_jump, *lost_exception;
  llvm::SmallVector<llvm::Function *> sources[STATUSES];
  std::optional<UnwindGraph> graphs[STATUSES];
  llvm::DenseMap<llvm::Function *, Landing> landings;
  llvm::DenseSet<const llvm::CallInst *> tested;
};

} // namespace gpuexec
