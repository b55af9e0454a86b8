//===-- toolchain/passes/shared/shared_stack.h - For variables --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a second stack, in memory that all threads see, in chunks
// that libc-shim/abi/shared_stack.c allocates. Two words of the thread's record
// say where the next variables go.
//
// Machine code that is made before the link does not know where the record is,
// and calls functions of the C library.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Flag of a module that was compiled with -fopenmp -fno-lto (note_openmp.cpp).
inline constexpr const char *OPENMP_WITHOUT_LINK = "gpuexec-openmp-no-lto";

/// The first bytes of a frame begin at a multiple of it.
inline constexpr llvm::Align SHARED_ALIGNMENT = llvm::Align::Constant<16>();

class SharedStack {
public:
  /// Null in a program whose threads do not see one another's variables, or
  /// where that is not known.
  static std::optional<SharedStack> of(llvm::Module &module);

  /// How full the stack is.
  struct Mark {
    llvm::Value *at, *end = nullptr;
  };
  Mark mark(llvm::IRBuilder<> &builder) const;

  /// Frees all that was taken after the mark.
  void go_back(llvm::IRBuilder<> &builder, const Mark &mark) const;

  /// Takes `size` bytes, i64, a multiple of SHARED_ALIGNMENT. Their address,
  /// i64. Blocks may be inserted in front of `before`.
  llvm::Value *push(llvm::Instruction &before, llvm::Value *size) const;

  /// The mark to go back to, made before `address` was pushed. The first one
  /// that a thread pushes makes its first chunk, which it keeps.
  Mark keep_first_chunk(llvm::IRBuilder<> &builder, const Mark &mark,
                        llvm::Value *address) const;

  /// Does the C library look at the stack?
  bool is_asked_for() const;

  /// Makes the stack of each kernel an empty one, and tells the C library where
  /// the words are. The last instruction of that in each kernel.
  llvm::DenseMap<llvm::Function *, llvm::Instruction *> begin_kernels() const;

private:
  SharedStack(llvm::Module &module, llvm::Function *more)
      : module(&module), more(more) {}
  void store(llvm::IRBuilder<> &builder, const Mark &mark) const;

  llvm::Module *module;
  llvm::Function *more; ///< a further chunk; null: functions are called
};

} // namespace gpuexec
