//===-- emulator/amdgpu/jit/arithmetic.h - Operations as calls --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates arithmetic: vector and scalar operations become calls of the
// functions of ops/ (operations.cpp); the micro-ops around them and moves
// between lanes become plain IR.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_ARITHMETIC_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_ARITHMETIC_H

#include "emulator/amdgpu/jit/control_flow.h"
#include "emulator/amdgpu/jit/ir_word.h"

namespace gpuexec::emulator::amdgpu::jit {

class Arithmetic {
public:
  Arithmetic(Builder &builder, RegisterFile &registers, ControlFlow &control);

  Flow vector(const Inst *i); // valu, vcmp, packed, packed32
  Flow scalar(const Inst *i);
  Flow save_exec(const Inst *i);
  Flow micro_op(const Inst *i);
  Flow between_lanes(const Inst *i); // v_readlane and its like
  Flow swap(const Inst *i);

private:
  struct Returned {
    Value *value, *bit;
  };
  Returned call(llvm::Function *function, llvm::ArrayRef<Value *> sources,
                Value *condition, u32 mods, Value *old);
  llvm::Function *function(const Inst *i);
  Value *exec_of_half(const Inst *i, Value *half);
  void sdwa(const Inst *i);
  void sdwa_merge(const Inst *i);
  IrWord word(const Inst *i, Operand operand);
  void write_word(Operand operand, IrWord word);
  Value *condition_code(const Inst *i);
  struct Known {
    std::optional<u32> low, high;
    std::optional<bool> scc;
  };
  Known fold(const Inst *i) const;

  Builder &b;
  RegisterFile &registers;
  ControlFlow &control;
  llvm::AllocaInst *bit; // where a called operation stores its bit
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_ARITHMETIC_H
