//===-- emulator/amdgpu/jit/builder.h - LLVM IR of one region ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all parts of the translation share: the LLVM function that is being
// filled, the place in it where instructions are appended, and short ways to
// name fields of State.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_BUILDER_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_BUILDER_H

#include "emulator/amdgpu/jit/compiler.h"
#include "emulator/amdgpu/jit/jit.h"

#include "llvm/IR/IRBuilder.h"

#include <map>

namespace gpuexec::emulator::amdgpu::jit {

using llvm::Value;
using Block = llvm::BasicBlock;

/// How the translation of a micro-op ended.
enum class Flow {
  next,            // the next micro-op follows
  ended,           // the block has its terminator
  interpret,       // nothing was generated: the interpreter has to do it
  interpret_enter, // like interpret; compiled code is entered again behind it
};

struct Builder {
  Builder(Compiler &compiler, const Request &request);

  /// An empty block of the function.
  Block *block(const char *name);
  Value *constant32(u32 v) { return ir.getInt32(v); }
  Value *constant64(u64 v) { return ir.getInt64(v); }
  /// Emits a load of a host pointer (compiled_code.h), which is no instruction.
  Value *host_pointer(HostPointer::Kind kind);
  /// The offset of the instruction's address in `host_pointers`.
  u32 offset_of(const Inst *inst);
  /// Emits a load of the pointer at `offset` (an i64, in bytes) in
  /// `host_pointers`.
  Value *pointer_at(Value *offset);
  /// Gives `host_pointers` its size: no others are added behind it.
  void finish_pointers();
  Value *state_pointer(size_t offset);
  Value *state_field(size_t offset, llvm::Type *type, const char *name);
  u64 lane_mask() const { return u64(1) << request.lane; }
  llvm::MDNode *likely();
  llvm::MDNode *unlikely();
  /// Emits a test that empties the inline caches if memory was freed since they
  /// were filled, and a branch to `then`.
  void check_epoch(Block *then);

  Compiler &compiler;
  const Request &request;
  Compiler::Work work;
  llvm::LLVMContext &context;
  llvm::IRBuilder<> ir;
  llvm::Type *i1, *i8, *i32, *i64, *ptr;
  llvm::Function *function;    // void(State *, const Inst *, u64 entry)
  Value *state, *inst, *entry; // its arguments
  llvm::IRBuilder<> first;     // in the function's first block: its variables
  llvm::GlobalVariable *host_pointers; // an array of 64-bit words
  std::vector<HostPointer> pointers;   // the array's elements
  std::map<const Inst *, u32> offsets; // of instructions
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_BUILDER_H
