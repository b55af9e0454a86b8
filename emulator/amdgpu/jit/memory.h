//===-- emulator/amdgpu/jit/memory.h - Loads, stores, atomics ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guest memory is accessed with volatile loads and stores: another wave or the
// host may change it at any time. The interpreter executes every access that
// may fault. Each access of global memory has an inline cache
// (inline_cache.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_MEMORY_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_MEMORY_H

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/jit/side_exits.h"

namespace gpuexec::emulator::amdgpu::jit {

class Memory {
public:
  Memory(Builder &builder, RegisterFile &registers, SideExits &exits)
      : b(builder), registers(registers), exits(exits) {}
  /// Emits loads of the addresses of the lane's LDS and stack. `word_stride`:
  /// State::word_stride.
  void load_segments(Value *word_stride);

  /// The address of an access, or of a micro-op that counts it. Of a buffer
  /// access: in the private segment, if is_stack_buffer().
  Value *address_of(const Inst *i);
  Flow access(const Inst *i);      // Form::memory
  Flow scalar_load(const Inst *i); // Form::scalar_load
  /// A sequence of decode/whole_registers.h that has `length` micro-ops. Only
  /// for lane 0, and where its private segment is in one piece.
  void whole_registers(const Inst *first, unsigned length);

private:
  void copy_other_lanes(Value *to, Value *from);
  Value *is_stack_buffer(const Inst *i);
  struct Place {
    Value *base;                  // of the first dword
    Value *word_stride = nullptr; // null: contiguous
  };
  Place place(const Inst *i, bool write, unsigned offset);
  Value *global_pointer(const Inst *i, Value *address, unsigned bytes,
                        bool write);
  void in_segments(Value *address, unsigned bytes, llvm::PHINode *pointer);
  Value *dword(const Place &place, unsigned k);
  void load(const Place &place, const Operation &operation, Operand dst);
  void store(const Inst *i, const Place &place, const Operation &operation,
             Operand data);
  Flow atomic(const Inst *i);

  Builder &b;
  RegisterFile &registers;
  SideExits &exits;
  Value *scratch = nullptr, *scratch_size = nullptr, *word_stride = nullptr;
  Value *wave_shift = nullptr; // log2 of the lanes of a wave
  Value *lds = nullptr, *lds_size = nullptr;
  unsigned caches = 0; // inline caches given out
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_MEMORY_H
