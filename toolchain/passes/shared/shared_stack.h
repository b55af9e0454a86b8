//===-- toolchain/passes/shared/shared_stack.h - For variables --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread has a second stack in memory that all threads see, in chunks that
// libc-shim/abi/shared_stack.c allocates. Two words of the thread's record are
// the addresses of its free memory: begin and end.
//
// Machine code that is made before the link does not know where the record is,
// and calls functions of the C library instead.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

namespace gpuexec {

/// Flag of a module that was compiled with -fopenmp -fno-lto (note_openmp.cpp).
inline constexpr const char *OPENMP_WITHOUT_LINK = "gpuexec-openmp-no-lto";

/// The alignment of each frame on the stack.
inline constexpr llvm::Align SHARED_ALIGNMENT = llvm::Align::Constant<16>();

/// Adds code that uses the calling thread's shared stack.
class SharedStack {
public:
  /// Nothing in a program that neither creates threads nor uses OpenMP, or
  /// where that is not known.
  static std::optional<SharedStack> of(llvm::Module &module);

  /// A position on the stack, to which it can go back.
  struct Mark {
    llvm::Value *at, *end = nullptr;
  };
  /// The current position.
  Mark mark(llvm::IRBuilder<> &builder) const;

  /// Frees all memory that was pushed after the mark.
  void go_back(llvm::IRBuilder<> &builder, const Mark &mark) const;

  /// Pushes `size` bytes, an i64, a multiple of SHARED_ALIGNMENT. Returns their
  /// address, an i64. May split the block before `before`.
  llvm::Value *push(llvm::Instruction &before, llvm::Value *size) const;

  /// The mark to go back to instead of `mark`, which was made before `address`
  /// was pushed. If that push allocated the thread's first chunk, going back
  /// must not free the chunk.
  Mark keep_first_chunk(llvm::IRBuilder<> &builder, const Mark &mark,
                        llvm::Value *address) const;

  /// Does the C library use the stack's words in the record (shared_top)?
  bool is_asked_for() const;

  /// Makes each kernel begin with an empty stack, and replaces the C library's
  /// calls of shared_top by the address of the words. Returns for each kernel
  /// the last instruction that this has added.
  llvm::DenseMap<llvm::Function *, llvm::Instruction *> begin_kernels() const;

private:
  SharedStack(llvm::Module &module, llvm::Function *more)
      : module(&module), more(more) {}
  void store(llvm::IRBuilder<> &builder, const Mark &mark) const;

  llvm::Module *module;
  /// Runtime::more_frames; null: the code calls functions of the C library.
  llvm::Function *more;
};

} // namespace gpuexec
