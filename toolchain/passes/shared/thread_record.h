//===-- toolchain/passes/shared/thread_record.h - Memory of a thread ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's record has the values that passes need for each thread. A GPU has
// no register to spare for them, so the record is in the frame of the thread's
// kernel, in private memory.
//
// Private addresses are offsets in the thread's own memory, so the record of a
// kernel has the same address in all threads. Each kernel writes the address to
// a variable when it starts; functions read it there.
//
// At the link passes insert calls of placeholder functions, which the optimiser
// merges and moves. lower_thread_record, which runs last before machine code is
// made, replaces them by loads of the address.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace gpuexec {

/// The members of a record, in order.
enum class RecordMember : unsigned {
  locals,     ///< pointer: the block of the thread's thread-local variables
  status,     ///< i32: why the thread unwinds (unwinding.h), or 0
  label,      ///< i32: the place in the target's function to which a jump goes
  target,     ///< i64: number of the activation to which a jump goes
  value,      ///< i64: the value that a jump passes to its target
  next,       ///< i64: number of the next activation that can be a target
  inputs,     ///< [INPUTS x i64]: what AMD's kernels get (kernel_inputs.h)
  frames,     ///< i64: free memory of the shared stack (shared_stack.h)
  frames_end, ///< i64: the end of that memory
  place,    ///< i64: address of the text that says where it waits (note_waits)
  handlers, ///< i64: the newest frame with handlers (exceptions.h); only after
            ///< make_long_record()
};
constexpr unsigned INPUTS = 10;

llvm::StructType *record_type(llvm::LLVMContext &context);

/// Is it a thread's record? All threads use its address, each for its own
/// record.
bool is_record(const llvm::AllocaInst &variable);

/// Is it an entry point of a GPU program?
bool is_kernel(const llvm::Function &function);

/// Allocates a record in `kernel`, makes the kernel write its address to the
/// variable, and returns it: a pointer to private memory. Moves the builder to
/// the position after that, at the kernel's beginning. A second call returns
/// the same record.
llvm::Value *make_record(llvm::Function &kernel, llvm::IRBuilder<> &builder);

/// make_record() for a record with all members, also those that few programs
/// need.
llvm::Value *make_long_record(llvm::Function &kernel,
                              llvm::IRBuilder<> &builder);

/// The calling thread's record, in a kernel or in a function.
llvm::Value *record(llvm::IRBuilder<> &builder);

/// The address of a record's member.
llvm::Value *member(llvm::IRBuilder<> &builder, llvm::Value *record,
                    RecordMember which);

/// The member `locals` of the calling thread's record, which does not change
/// while the thread runs: a pointer to global memory.
llvm::Value *thread_locals(llvm::IRBuilder<> &builder);

/// Replaces the calls of placeholder functions by loads. True if there were
/// any.
bool expand_thread_record(llvm::Module &module);

} // namespace gpuexec
