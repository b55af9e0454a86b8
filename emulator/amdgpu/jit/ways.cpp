//===-- emulator/amdgpu/jit/ways.cpp - Ways into compiled code and out ----===//
// What is checked before compiled code is entered, what State holds wherever it
// leaves, and where it goes then.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/jit/hot_code.h"

#include "llvm/IR/MDBuilder.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

void HotCode::prologue() {
  Block *check = fresh("check"), *start = fresh("start");
  other = fresh("other");
  enter = fresh("enter");
  out[0] = fresh("out");
  out[1] = fresh("out");
  wide = fresh("wide");
  stopped[0] = fresh("stopped");
  stopped[1] = fresh("stopped");
  IRBuilder<> first(fresh("entry"));
  first.GetInsertBlock()->moveBefore(check);
  scc = first.CreateAlloca(i1, nullptr, "scc");
  budget = first.CreateAlloca(i64, nullptr, "budget");
  bit = first.CreateAlloca(i8, nullptr, "bit");
  first.CreateBr(check);

  // What the code below takes for granted.
  ir.SetInsertPoint(check);
  Value *on = ir.CreateICmpEQ(state_field(offsetof(State, shape), i32, "shape"),
                              constant32(ONE));
  Value *good =
      ir.CreateICmpEQ(state_field(offsetof(State, lane4), i32, "lane4"),
                      constant32(request.lane * 4));
  good = ir.CreateAnd(
      good,
      ir.CreateICmpNE(state_field(offsetof(State, default_mode), i8, "mode"),
                      ir.getInt8(0)));
  word_stride = state_field(offsetof(State, word_stride), i32, "word_stride");
  Value *linear = ir.CreateICmpEQ(word_stride, constant32(4));
  good = ir.CreateAnd(good,
                      request.linear_scratch ? linear : ir.CreateNot(linear));
  ir.CreateCondBr(good, start, other,
                  MDBuilder(context).createLikelyBranchWeights());
  ir.SetInsertPoint(other);
  // The handler for any EXEC does, and is never replaced.
  Value *inst = function->getArg(1);
  Value *any = ir.CreateLoad(ptr, ir.CreateConstGEP1_64(ptr, inst, SOME));
  CallInst *tail =
      ir.CreateCall(function->getFunctionType(), any, {state, inst});
  tail->setTailCallKind(CallInst::TCK_MustTail);
  ir.CreateRetVoid();

  ir.SetInsertPoint(start);
  word_stride = ir.CreateZExt(word_stride, i64);
  Value *lane_offset = ir.CreateMul(
      ir.CreateZExt(
          state_field(offsetof(State, lane_stride), i32, "lane_stride"), i64),
      constant64(request.lane));
  scratch = ir.CreateGEP(
      i8, state_field(offsetof(State, scratch), ptr, "scratch"), lane_offset);
  scratch_size = ir.CreateZExt(
      state_field(offsetof(State, private_size), i32, "private_size"), i64);
  lds = state_field(offsetof(State, lds), ptr, "lds");
  lds_size = ir.CreateZExt(
      state_field(offsetof(State, lds_size), i32, "lds_size"), i64);
  ir.CreateStore(ir.CreateICmpNE(state_field(offsetof(State, scc), i8, "scc"),
                                 ir.getInt8(0)),
                 scc);
  ir.CreateStore(state_field(offsetof(State, budget), i64, "budget"), budget);
  entered = ir.CreateOr(ir.CreatePtrToInt(inst, i64), ir.CreateZExt(on, i64));
  check_epoch(enter);
}

/// Each way in reads the registers that are of use behind it.
void HotCode::entries() {
  liveness.solve(unsigned(cells.size()));
  ir.SetInsertPoint(enter);
  SwitchInst *choose = ir.CreateSwitch(entered, other, ways_in.size());
  for (Trace *way : ways_in) {
    if (!way->translated)
      continue;
    Block *block = fresh("in");
    choose->addCase(ir.getInt64(way->at.key()), block);
    ir.SetInsertPoint(block);
    for (unsigned k : liveness.live_in(way->segment).set_bits())
      ir.CreateStore(ir.CreateLoad(i32, state_pointer(cells[k].offset)),
                     cells[k].variable);
    ir.CreateBr(way->block);
  }
}

void HotCode::way_out() {
  auto on_with = [&](Value *to, Value *shape) {
    Value *handler = ir.CreateLoad(
        ptr, ir.CreateGEP(ptr, to, ir.CreateZExt(shape, i64)), "handler");
    CallInst *tail =
        ir.CreateCall(function->getFunctionType(), handler, {state, to});
    tail->setTailCallKind(CallInst::TCK_MustTail);
    ir.CreateRetVoid();
  };
  auto put_exec = [&](bool on) {
    ir.CreateStore(constant64(on ? lane_mask() : 0),
                   state_pointer(scalar_operand(EXEC)));
    ir.CreateStore(constant32(on ? ONE : NONE),
                   state_pointer(offsetof(State, shape)));
    ir.CreateStore(ir.getInt8(0), state_pointer(offsetof(State, mask_valid)));
  };
  for (bool on : {false, true}) {
    ir.SetInsertPoint(out[on]);
    put_exec(on);
    Value *tagged = state_field(offsetof(State, resume), i64, "tagged");
    on_with(ir.CreateIntToPtr(ir.CreateAnd(tagged, ~u64(7)), ptr),
            ir.CreateTrunc(ir.CreateAnd(tagged, 7), i32));
    ir.SetInsertPoint(stopped[on]);
    put_exec(on);
    ir.CreateStore(ir.getInt8(u8(Stop::budget)),
                   state_pointer(offsetof(State, stop)));
    ir.CreateRetVoid();
  }

  // Other lanes are on: as State::exec_changed does it.
  ir.SetInsertPoint(wide);
  Value *exec = state_field(scalar_operand(EXEC), i64, "exec");
  Value *below = ir.CreateAnd(exec, ir.CreateSub(exec, constant64(1)));
  Value *shape = ir.CreateSelect(ir.CreateICmpEQ(below, constant64(0)),
                                 constant32(ONE), constant32(SOME));
  shape = ir.CreateSelect(ir.CreateICmpEQ(exec, constant64(~u64(0))),
                          constant32(FULL), shape);
  ir.CreateStore(shape, state_pointer(offsetof(State, shape)));
  ir.CreateStore(ir.getInt8(0), state_pointer(offsetof(State, mask_valid)));
  Value *lane = ir.CreateBinaryIntrinsic(Intrinsic::cttz, exec, ir.getFalse());
  ir.CreateStore(ir.CreateShl(ir.CreateTrunc(lane, i32), 2),
                 state_pointer(offsetof(State, lane4)));
  on_with(state_field(offsetof(State, resume), ptr, "to"), shape);
}

void HotCode::write_back(IRBuilder<> &there) {
  auto field = [&](size_t offset) {
    return there.CreateConstInBoundsGEP1_64(i8, state, offset);
  };
  for (unsigned k : dirty)
    there.CreateStore(there.CreateLoad(i32, cells[k].variable),
                      field(cells[k].offset));
  if (scc_dirty)
    there.CreateStore(there.CreateZExt(there.CreateLoad(i1, scc), i8),
                      field(offsetof(State, scc)));
}
void HotCode::flush() {
  write_back(ir);
  dirty.clear();
  scc_dirty = false;
  leaves.clear();
}

HotCode::Block *HotCode::leaving(const Inst *at, Way way) {
  u64 to = reinterpret_cast<u64>(at);
  Block *&block = leaves[to | u64(way)];
  if (block)
    return block;
  block = fresh("leave");
  IRBuilder<> there(block);
  auto field = [&](size_t offset) {
    return there.CreateConstInBoundsGEP1_64(i8, state, offset);
  };
  write_back(there);
  there.CreateStore(there.CreateLoad(i64, budget),
                    field(offsetof(State, budget)));
  // What could not be done here goes to the handler that is never replaced, or
  // a block that begins with it would be entered for ever.
  if (way == Way::again)
    to |= SOME;
  else if (way == Way::next)
    to |= on ? ONE : NONE;
  // Volatile, so that the block stays: LLVM would fold the hundreds of them
  // into the way out one by one, at a cost that grows with their square.
  there.CreateStore(there.getInt64(to), field(offsetof(State, resume)),
                    /*isVolatile=*/true);
  there.CreateBr(way == Way::wide      ? wide
                 : way == Way::stopped ? stopped[on]
                                       : out[on]);
  return block;
}
void HotCode::leave(const Inst *at) {
  ++left[name];
  ir.CreateBr(leaving(at, Way::again));
}
void HotCode::leave_for(const Inst *next) {
  ++left["size"];
  ir.CreateBr(leaving(next, Way::next));
}

/// Forgets all sites if memory was freed; goes on at `then`.
void HotCode::check_epoch(Block *then) {
  Block *stale = fresh("stale");
  Value *counter = ConstantExpr::getIntToPtr(
      ir.getInt64(reinterpret_cast<u64>(request.epoch)), ptr);
  LoadInst *now = ir.CreateAlignedLoad(i64, counter, Align(8), "epoch");
  now->setAtomic(AtomicOrdering::Acquire);
  Value *same = ir.CreateICmpEQ(
      now, state_field(offsetof(State, sites_epoch), i64, "sites_epoch"));
  ir.CreateCondBr(same, then, stale,
                  MDBuilder(context).createLikelyBranchWeights());
  ir.SetInsertPoint(stale);
  FunctionType *forget = FunctionType::get(ir.getVoidTy(), {ptr}, false);
  CallInst *call = ir.CreateCall(
      forget,
      ConstantExpr::getIntToPtr(
          ir.getInt64(reinterpret_cast<u64>(request.forget_sites)), ptr),
      {state});
  call->addParamAttr(
      0, Attribute::getWithCaptureInfo(context, CaptureInfo::none()));
  ir.CreateBr(then);
}

} // namespace gpuexec::emulator::amdgpu::jit
