//===-- emulator/amdgpu/jit/counting.h - Statistics -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The micro-ops that count under --stats (decode/basic_blocks.h), for one lane
// at most.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_COUNTING_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_COUNTING_H

#include "emulator/amdgpu/jit/memory.h"

namespace gpuexec::emulator::amdgpu::jit {

class Counting {
public:
  Counting(Builder &builder, RegisterFile &registers, Memory &memory)
      : b(builder), registers(registers), memory(memory) {}
  /// Emits a load of the address of the wave's Executions.
  void load_table();

  Flow basic_block(const Inst *i); // MicroOpKind::count
  Flow access(const Inst *i);      // MicroOpKind::count_access
  Flow divergence();               // MicroOpKind::count_divergence

private:
  void add(Value *counter, Value *amount);
  void add_if(Value *condition, size_t counter);
  Value *alone(const BasicBlock &block) const;

  Builder &b;
  RegisterFile &registers;
  Memory &memory;
  Value *table = nullptr;
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_COUNTING_H
