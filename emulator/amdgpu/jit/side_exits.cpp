//===-- emulator/amdgpu/jit/side_exits.cpp - Leaving compiled code --------===//
#include "emulator/amdgpu/jit/side_exits.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

SideExits::SideExits(Builder &builder, RegisterFile &registers)
    : b(builder), registers(registers),
      budget(b.first.CreateAlloca(b.i64, nullptr, "budget")),
      wide(b.block("wide")), out{b.block("out"), b.block("out")},
      stopped{b.block("stopped"), b.block("stopped")} {}

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

Block *SideExits::exit(const Inst *at, To to) {
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
  auto field = [&](size_t offset) {
    return there.CreateConstInBoundsGEP1_64(b.i8, b.state, offset);
  };
  registers.write_back(there);
  there.CreateStore(there.CreateLoad(b.i64, budget),
                    field(offsetof(State, budget)));
  bool on = registers.lane_on();
  if (to == To::interpreter)
    target |= SOME;
  else if (to == To::any)
    target |= on ? ONE : NONE;
  // Volatile, so that the block stays: LLVM would fold the hundreds of exits
  // into their common end one by one, at a cost that grows with their square.
  there.CreateStore(there.getInt64(target), field(offsetof(State, resume)),
                    /*isVolatile=*/true);
  there.CreateBr(to == To::wide   ? wide
                 : to == To::stop ? stopped[on]
                                  : out[on]);
  return block;
}

void SideExits::leave(const Inst *at, const char *what) {
  ++left[what];
  b.ir.CreateBr(exit(at, To::interpreter));
}
void SideExits::leave_for(const Inst *next) {
  ++left["size"];
  others.insert(next);
  b.ir.CreateBr(exit(next, To::any));
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
void SideExits::put_exec(bool on) {
  b.ir.CreateStore(b.constant64(on ? b.lane_mask() : 0),
                   b.state_pointer(scalar_operand(EXEC)));
  b.ir.CreateStore(b.constant32(on ? ONE : NONE),
                   b.state_pointer(offsetof(State, shape)));
  b.ir.CreateStore(b.ir.getInt8(0),
                   b.state_pointer(offsetof(State, mask_valid)));
}

/// The instruction whose offset an exit has stored, without a tag.
Value *SideExits::resumed() {
  return b.pointer_at(b.state_field(offsetof(State, resume), b.i64, "to"));
}

void SideExits::finish() {
  for (bool on : {false, true}) {
    b.ir.SetInsertPoint(out[on]);
    put_exec(on);
    Value *tagged = b.state_field(offsetof(State, resume), b.i64, "tagged");
    call_handler(b.pointer_at(b.ir.CreateAnd(tagged, ~u64(7))),
                 b.ir.CreateTrunc(b.ir.CreateAnd(tagged, 7), b.i32));
    b.ir.SetInsertPoint(stopped[on]);
    put_exec(on);
    b.ir.CreateStore(resumed(), b.state_pointer(offsetof(State, resume)));
    b.ir.CreateStore(b.ir.getInt8(u8(Stop::budget)),
                     b.state_pointer(offsetof(State, stop)));
    b.ir.CreateRetVoid();
  }

  // Other lanes are on: as State::exec_changed does it.
  b.ir.SetInsertPoint(wide);
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
  call_handler(resumed(), shape);
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
