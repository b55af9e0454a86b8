//===-- toolchain/passes/shared/thread_record.h - Memory of a thread ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread's record lies in the frame of its kernel, in private memory. Passes
// that need memory of each thread keep it there: a GPU has no register for it.
//
// Private addresses count from where a thread's own memory begins, so the
// record of a kernel has one address for all threads. Each kernel writes the
// address to a variable when it starts; functions read it there.
//
// At the link passes insert calls of functions that do not exist, and the
// optimiser merges and moves them. lower_thread_record, last before machine
// code is made, replaces them with loads.
//===----------------------------------------------------------------------===//
#pragma once
#include <llvm/IR/IRBuilder.h>

namespace gpuexec {

/// The members of a record, in order.
enum class RecordMember : unsigned {
  locals,     ///< pointer: the block of the thread's thread-local variables
  status,     ///< i32: why the thread unwinds (unwinding.h), or 0
  label,      ///< i32: which place in the target's function
  target,     ///< i64: the activation that a jump goes to
  value,      ///< i64: what the jump brings along
  next,       ///< i64: number of the next activation that can be a target
  inputs,     ///< [INPUTS x i64]: what AMD's kernels get (kernel_inputs.h)
  frames,     ///< i64: where the next shared variables go (share_variables)
  frames_end, ///< i64: behind the memory for them
  place,    ///< i64: address of the text that says where it waits (note_waits)
  handlers, ///< i64: the newest frame with handlers (exceptions.h); only after
            ///< make_long_record()
};
constexpr unsigned INPUTS = 10;

llvm::StructType *record_type(llvm::LLVMContext &context);

/// Is it an entry point of a GPU program?
bool is_kernel(const llvm::Function &function);

/// Allocates a record in `kernel`, writes its address to the variable, and
/// returns it: a pointer to private memory. The builder stands behind that, at
/// the kernel's beginning. A second call returns the same record.
llvm::Value *make_record(llvm::Function &kernel, llvm::IRBuilder<> &builder);

/// The same for a record that has all members, also those that only few
/// programs need.
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

/// Replaces the calls that stand for records by loads. True when there were
/// any.
bool expand_thread_record(llvm::Module &module);

} // namespace gpuexec
