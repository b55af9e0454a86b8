//===-- emulator/amdgpu/jit/region.h - A region as one function -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the LLVM function for the code that can be reached from one
// instruction, for waves in which no lane but Request::lane is ever on.
//
// The rules that make this simple:
//  - EXEC is 0 or the lane's bit, and which of the two is known while
//    translating. Code that sets any other bit leaves (Traces, ControlFlow).
//  - Registers are local variables; State holds them all wherever one trace
//    goes to another (RegisterFile).
//  - What the JIT does not know, and what might be a fault, leaves: the
//    interpreter executes that instruction again from its start. No effect of
//    an instruction is visible before its last side exit (SideExits).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_REGION_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_REGION_H

#include "emulator/amdgpu/jit/arithmetic.h"
#include "emulator/amdgpu/jit/counting.h"
#include "emulator/amdgpu/jit/memory.h"

#include <set>
#include <string>

namespace gpuexec::emulator::amdgpu::jit {

class HotRegion {
public:
  /// `compiled`: where there is compiled code already; `unwritten`: of an
  /// earlier translation of the same region, or empty. It must stay.
  HotRegion(Compiler &compiler, const std::set<Entry> &compiled,
            const Request &request, const Unwritten &unwritten);
  /// Fills the module. False when the region is not worth compiling.
  bool build();
  /// After build(): there is more warm code than belongs into a region.
  bool is_too_warm() const;
  /// "120 instructions, 12 blocks; left for: ...", for GPUEXEC_EMULATOR_JIT.
  std::string summary() const;
  unsigned instructions() const { return translated; }
  const Unwritten &found() const { return traces.found(); }
  /// The result without its machine code.
  Result result() const;
  /// The module with the entries' functions.
  Compiler::Work take() { return std::move(b.work); }
  std::vector<HostPointer> take_pointers() { return std::move(b.pointers); }

private:
  void prologue();
  void translate_traces();
  void trace(Trace &trace);
  unsigned whole_registers(const Inst *i) const;
  Flow translate(const Inst *i);
  Flow operation_of_table(const Inst *i);
  Flow special(const Inst *i);

  const std::set<Entry> &compiled;
  Builder b;
  RegisterFile registers;
  SideExits exits;
  Traces traces;
  ControlFlow control;
  Arithmetic arithmetic;
  Memory memory;
  Counting counting;
  Block *check, *enter, *other; // prologue; entries are told apart; no entry
  unsigned translated = 0;      // instructions
};

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_REGION_H
