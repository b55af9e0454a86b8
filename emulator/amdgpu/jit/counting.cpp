//===-- emulator/amdgpu/jit/counting.cpp - Statistics ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the micro-ops do is said at their handlers (interpret/control.h).
#include "emulator/amdgpu/jit/counting.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

void Counting::load_table() {
  table = b.state_field(offsetof(State, executions), b.ptr, "executions");
}

void Counting::add(Value *counter, Value *amount) {
  b.ir.CreateStore(b.ir.CreateAdd(b.ir.CreateLoad(b.i64, counter), amount),
                   counter);
}

/// Adds 1 to a field of the wave's Counters; seldom.
void Counting::add_if(Value *condition, size_t counter) {
  Block *yes = b.block("count"), *done = b.block("counted");
  b.ir.CreateCondBr(condition, yes, done, b.unlikely());
  b.ir.SetInsertPoint(yes);
  Value *counters = b.state_field(offsetof(State, counters), b.ptr, "counters");
  add(b.ir.CreateConstInBoundsGEP1_64(b.i8, counters, counter),
      b.constant64(1));
  b.ir.CreateBr(done);
  b.ir.SetInsertPoint(done);
}

Value *Counting::alone(const BasicBlock &block) const {
  return b.ir.CreateConstInBoundsGEP1_64(b.i8, table,
                                         block.number * sizeof(Executions) +
                                             offsetof(Executions, alone));
}

Flow Counting::basic_block(const Inst *i) {
  const auto &block = *static_cast<const BasicBlock *>(i->data);
  if (!block.number)
    return Flow::interpret_enter;
  const bool on = registers.lane_on();
  Value *counter =
      on ? alone(block)
         : b.ir.CreateConstInBoundsGEP1_64(b.i8, table,
                                           block.number * sizeof(Executions) +
                                               offsetof(Executions, others));
  add(counter, b.constant64(1));
  if (i->mods & COUNT_KEEPS_EXEC)
    b.ir.CreateStore(b.constant64(on ? b.lane_mask() : 0),
                     b.state_pointer(offsetof(State, exec_before)));
  return Flow::next;
}

Flow Counting::access(const Inst *i) {
  const MemoryAccess &access = operation(*i).memory;
  if (!registers.lane_on())
    return Flow::next;
  if (access.space == Space::buffer)
    return Flow::interpret_enter;
  Value *address = memory.address_of(i);
  Value *global = b.ir.getTrue();
  if (access.space == Space::flat) {
    const auto &block = *static_cast<const BasicBlock *>(i->data);
    if (!block.number)
      return Flow::interpret_enter;
    global = b.ir.CreateICmpULT(
        address, b.constant64(u64(1) << AddressSpace::ADDRESS_BITS));
    add(alone(block), b.ir.CreateZExt(global, b.i64));
  }
  if (access.bytes == 1)
    return Flow::next;
  Value *crosses = b.ir.CreateICmpUGT(b.ir.CreateAnd(address, 63),
                                      b.constant64(64 - access.bytes));
  add_if(b.ir.CreateAnd(crosses, global), offsetof(Counters, cache_lines));
  return Flow::next;
}

/// The interpreter may have turned off all lanes but this one and gone on here.
Flow Counting::divergence() {
  if (!registers.lane_on())
    return Flow::next;
  Value *before =
      b.state_field(offsetof(State, exec_before), b.i64, "exec_before");
  Value *mine = b.ir.CreateICmpNE(
      b.ir.CreateAnd(before, b.constant64(b.lane_mask())), b.constant64(0));
  Value *others = b.ir.CreateICmpNE(before, b.constant64(b.lane_mask()));
  add_if(b.ir.CreateAnd(mine, others), offsetof(Counters, divergences));
  return Flow::next;
}

} // namespace gpuexec::emulator::amdgpu::jit
