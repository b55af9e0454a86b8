//===-- emulator/amdgpu/jit/control_flow.h - Branches and calls -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates what ends a block: branches, calls, returns, writes of EXEC.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_CONTROL_FLOW_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_CONTROL_FLOW_H

#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/jit/traces.h"

namespace gpuexec::emulator::amdgpu::jit {

class ControlFlow {
public:
  ControlFlow(Builder &builder, RegisterFile &registers, SideExits &exits,
              Traces &traces)
      : b(builder), registers(registers), exits(exits), traces(traces) {}

  /// An instruction with a Terminator.
  Flow branch(const Inst *i);
  /// To a block that was decoded already (MicroOpKind::link).
  Flow link(const Inst *i);
  /// EXEC becomes `mask`, i64. Ends the block.
  Flow write_exec(const Inst *i, Value *mask);
  /// Where the next instruction is.
  Flow get_pc(const Inst *i);
  /// After all traces are translated, fills in where indirect branches can go.
  void finish();

private:
  bool is_warm(const Inst *block) const;
  const Inst *target_of(const Inst *i, bool &cold) const;
  u64 known_target(const Inst *i) const;
  Flow direct(const Inst *i);
  Flow call(const Inst *i, const Inst *to, bool cold);
  Flow indirect_branch(const Inst *i);
  Flow indirect_call(const Inst *i);
  Value *visited_block(Value *address, Block *otherwise);
  const Inst *add_return(u64 address);
  Flow conditional(const Inst *i);
  Flow conditional_on(const Inst *i, Value *taken);
  u64 return_address(const Inst *i) const {
    return b.request.code_base + i->pc + 4;
  }
  Value *remembered(Value *return_address, Value *depth);
  void note_call(u64 return_address);
  void note_return(Value *address);

  Builder &b;
  RegisterFile &registers;
  SideExits &exits;
  Traces &traces;
  struct IndirectBranch {
    Block *block;
    const Inst *inst;
    Value *target;
    bool on;
    unsigned segment;
  };
  std::vector<IndirectBranch> indirect;
  std::vector<std::pair<u64, const Inst *>> returns; // address, block
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_CONTROL_FLOW_H
