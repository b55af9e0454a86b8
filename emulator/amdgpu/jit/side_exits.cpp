//===-- emulator/amdgpu/jit/side_exits.cpp - Leaving compiled code --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/side_exits.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

SideExits::SideExits(Builder &builder, RegisterFile &registers)
    : b(builder), registers(registers),
      budget(b.first.CreateAlloca(b.i64, nullptr, "budget")),
      wide(b.block("wide")), out{b.block("out"), b.block("out")},
      away{b.block("away"), b.block("away")} {
  for (bool on : {false, true})
    last[on] = &tails.emplace_back(out[on], RegisterFile::Dirty(), nullptr);
}

void SideExits::load_budget() {
  b.ir.CreateStore(b.state_field(offsetof(State, budget), b.i64, "budget"),
                   budget);
}
Value *SideExits::pay(u32 instructions) {
  Value *rest = b.ir.CreateSub(b.ir.CreateLoad(b.i64, budget),
                               b.constant64(instructions));
  b.ir.CreateStore(rest, budget);
  return rest;
}

static bool contains(const RegisterFile::Dirty &all,
                     const RegisterFile::Dirty &some) {
  return (all.scc || !some.scc) &&
         llvm::all_of(some.registers,
                      [&](unsigned k) { return all.registers.contains(k); });
}

/// A block that stores the dirty registers of this position and goes to the
/// common end. All positions share the variables, so it may go on with the
/// stores of an earlier exit whose registers are all dirty here.
Block *SideExits::tail() {
  RegisterFile::Dirty dirty = registers.unsaved();
  registers.note_saved();
  const Tail *&known = last[registers.lane_on()];
  while (!contains(dirty, known->stored))
    known = known->next;
  RegisterFile::Dirty rest;
  for (unsigned k : dirty.registers)
    if (!known->stored.registers.contains(k))
      rest.registers.insert(k);
  rest.scc = dirty.scc && !known->stored.scc;
  if (rest.registers.empty() && !rest.scc)
    return known->block;
  Block *block = b.block("save");
  IRBuilder<> there(block);
  registers.write_back(there, rest);
  there.CreateBr(known->block);
  known = &tails.emplace_back(block, std::move(dirty), known);
  return block;
}

/// In the lower bits of State::resume while a side exit is under way: a
/// handler's shape, and whether the wave stops there if its slice is over.
static constexpr u64 MAY_STOP = 4;
static_assert(SHAPES <= MAY_STOP);

Block *SideExits::exit(const Inst *at, To to) {
  if (to == To::any || to == To::wide)
    registers.leads_elsewhere();
  if (version != registers.version())
    cached.clear();
  version = registers.version();
  // What the handler is called with: where the instruction's address is, and
  // in the lower bits the handler's shape.
  u64 target = b.offset_of(at);
  Block *&block = cached[target | u64(to)];
  if (block)
    return block;
  block = b.block("exit");
  IRBuilder<> there(block);
  const bool on = registers.lane_on();
  if (to == To::interpreter)
    target |= SOME;
  else if (to == To::any || to == To::stop)
    target |= (on ? ONE : NONE) | MAY_STOP;
  // Volatile, so that the block stays: LLVM would fold the hundreds of exits
  // into their common end one by one, at a cost that grows with their square.
  there.CreateStore(
      there.getInt64(target),
      there.CreateConstInBoundsGEP1_64(b.i8, b.state, offsetof(State, resume)),
      /*isVolatile=*/true);
  if (to == To::wide) {
    registers.write_back(there);
    there.CreateBr(wide);
  } else
    there.CreateBr(tail());
  return block;
}

void SideExits::leave(const Inst *at, const char *what) {
  ++left[what];
  registers.leads_elsewhere();
  b.ir.CreateBr(exit(at, To::interpreter));
}
void SideExits::leave_for(const Inst *next) {
  ++left["size"];
  others.insert(next);
  b.ir.CreateBr(exit(next, To::any));
}

void SideExits::leave_for(Value *next) {
  registers.leads_elsewhere();
  b.ir.CreateStore(next, b.state_pointer(offsetof(State, resume)));
  b.ir.CreateBr(away[registers.lane_on()]);
}

void SideExits::call_handler(Value *inst, Value *shape) {
  Value *handler = b.ir.CreateLoad(
      b.ptr, b.ir.CreateGEP(b.ptr, inst, b.ir.CreateZExt(shape, b.i64)),
      "handler");
  CallInst *tail = b.ir.CreateCall(b.function->getFunctionType(), handler,
                                   {b.state, inst, PoisonValue::get(b.i64)});
  tail->setTailCallKind(CallInst::TCK_MustTail);
  b.ir.CreateRetVoid();
}
void SideExits::put_budget() {
  b.ir.CreateStore(b.ir.CreateLoad(b.i64, budget),
                   b.state_pointer(offsetof(State, budget)));
}
void SideExits::put_exec(bool on) {
  b.ir.CreateStore(b.constant64(on ? b.lane_mask() : 0),
                   b.state_pointer(scalar_operand(EXEC)));
  b.ir.CreateStore(b.constant32(on ? ONE : NONE),
                   b.state_pointer(offsetof(State, shape)));
  b.ir.CreateStore(b.ir.getInt8(0),
                   b.state_pointer(offsetof(State, mask_valid)));
}

/// Ends an exit: what it has stored to State::resume says where to go.
void SideExits::go_to_resume(bool on) {
  put_budget();
  put_exec(on);
  Value *tagged = b.state_field(offsetof(State, resume), b.i64, "tagged");
  Value *inst = b.pointer_at(b.ir.CreateAnd(tagged, ~u64(7)));
  Value *shape = b.ir.CreateTrunc(b.ir.CreateAnd(tagged, MAY_STOP - 1), b.i32);
  Value *may_stop =
      b.ir.CreateICmpNE(b.ir.CreateAnd(tagged, MAY_STOP), b.constant64(0));
  Value *is_over =
      b.ir.CreateICmpSLE(b.ir.CreateLoad(b.i64, budget), b.constant64(0));
  Block *go = b.block("go"), *stop = b.block("stop");
  b.ir.CreateCondBr(b.ir.CreateAnd(may_stop, is_over), stop, go);
  b.ir.SetInsertPoint(go);
  call_handler(inst, shape);
  b.ir.SetInsertPoint(stop);
  b.ir.CreateStore(inst, b.state_pointer(offsetof(State, resume)));
  end_slice();
}

/// Ends an exit that has stored to State::resume where control goes.
void SideExits::go_to(bool on) {
  put_budget();
  put_exec(on);
  Value *inst = b.state_field(offsetof(State, resume), b.ptr, "next");
  Block *go = b.block("go"), *stop = b.block("stop");
  b.ir.CreateCondBr(
      b.ir.CreateICmpSGT(b.ir.CreateLoad(b.i64, budget), b.constant64(0)), go,
      stop, b.likely());
  b.ir.SetInsertPoint(go);
  call_handler(inst, b.constant32(on ? ONE : NONE));
  b.ir.SetInsertPoint(stop);
  end_slice();
}

/// Ends the block: the wave stops, and goes on at State::resume later.
void SideExits::end_slice() {
  b.ir.CreateStore(b.ir.getInt8(u8(Stop::budget)),
                   b.state_pointer(offsetof(State, stop)));
  b.ir.CreateRetVoid();
}

void SideExits::finish() {
  for (bool on : {false, true}) {
    b.ir.SetInsertPoint(out[on]);
    go_to_resume(on);
    b.ir.SetInsertPoint(away[on]);
    go_to(on);
  }

  // Other lanes are on: as State::exec_changed does it.
  b.ir.SetInsertPoint(wide);
  put_budget();
  Value *exec = b.state_field(scalar_operand(EXEC), b.i64, "exec");
  Value *below = b.ir.CreateAnd(exec, b.ir.CreateSub(exec, b.constant64(1)));
  Value *shape = b.ir.CreateSelect(b.ir.CreateICmpEQ(below, b.constant64(0)),
                                   b.constant32(ONE), b.constant32(SOME));
  shape = b.ir.CreateSelect(b.ir.CreateICmpEQ(exec, b.constant64(~u64(0))),
                            b.constant32(FULL), shape);
  b.ir.CreateStore(shape, b.state_pointer(offsetof(State, shape)));
  b.ir.CreateStore(b.ir.getInt8(0),
                   b.state_pointer(offsetof(State, mask_valid)));
  Value *lane =
      b.ir.CreateBinaryIntrinsic(Intrinsic::cttz, exec, b.ir.getFalse());
  b.ir.CreateStore(b.ir.CreateShl(b.ir.CreateTrunc(lane, b.i32), 2),
                   b.state_pointer(offsetof(State, lane4)));
  call_handler(
      b.pointer_at(b.state_field(offsetof(State, resume), b.i64, "to")), shape);
}

std::string SideExits::summary() const {
  std::string text;
  const char *separator = "; left for ";
  for (auto &[what, count] : left) {
    text += separator + what + " x" + std::to_string(count);
    separator = ", ";
  }
  return text;
}

} // namespace gpuexec::emulator::amdgpu::jit
