//===-- emulator/amdgpu/jit/hot_code.cpp - Traces, ways in and out
//----------===//
#include "emulator/amdgpu/jit/hot_code.h"

#include "emulator/amdgpu/jit/sites.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/MDBuilder.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

// Past these the code is cut off; what is behind is compiled on its own when it
// is hot. The way out merges every register from every place that may leave:
// the product of the two is what LLVM's time depends on most.
static constexpr unsigned MAX_BLOCKS = 200, MAX_INSTRUCTIONS = 1500,
                          MAX_MERGES = 5000;

bool HotCode::full() const {
  return blocks.size() >= MAX_BLOCKS || translated >= MAX_INSTRUCTIONS ||
         leaves.size() * cells.size() >= MAX_MERGES;
}

HotCode::HotCode(Compiler &compiler, const Meanings &meanings,
                 const Request &request)
    : compiler(compiler), meanings(meanings), request(request),
      work(compiler.begin("region")), context(*work.context), ir(context),
      i1(ir.getInt1Ty()), i8(ir.getInt8Ty()), i32(ir.getInt32Ty()),
      i64(ir.getInt64Ty()), ptr(ir.getPtrTy()) {}

HotCode::Block *HotCode::fresh(const char *name) {
  return Block::Create(context, name, function);
}

HotCode::Value *HotCode::state_pointer(size_t offset) {
  return ir.CreateConstInBoundsGEP1_64(i8, state, offset);
}
HotCode::Value *HotCode::state_field(size_t offset, llvm::Type *type,
                                     const char *name) {
  return ir.CreateLoad(type, state_pointer(offset), name);
}

bool HotCode::build() {
  auto *type = FunctionType::get(ir.getVoidTy(), {ptr, ptr}, false);
  function = Function::Create(type, GlobalValue::ExternalLinkage, FUNCTION,
                              *work.module);
  function->addFnAttr(Attribute::NoUnwind);
  function->addParamAttr(0, Attribute::NoAlias);
  state = function->getArg(0);
  prologue();
  pending.push_back(request.head);
  blocks[request.head] = body;
  while (!pending.empty()) {
    const Inst *head = pending.front();
    pending.pop_front();
    trace(head);
  }
  returns();
  if (translated < 8 && !loops)
    return false;
  epilogue();
  return true;
}

void HotCode::prologue() {
  entry = fresh("entry");
  Block *check = fresh("check"), *other = fresh("other");
  body = fresh("body");
  enter = fresh("enter");
  out = fresh("out");
  stopped = fresh("stopped");
  ir.SetInsertPoint(entry);
  active = ir.CreateAlloca(i1, nullptr, "active");
  scc = ir.CreateAlloca(i1, nullptr, "scc");
  budget = ir.CreateAlloca(i64, nullptr, "budget");
  bit = ir.CreateAlloca(i8, nullptr, "bit");
  ir.CreateBr(check);

  // What the code below takes for granted. Blocks are reached with no lane on
  // as well: EXEC is restored at their start.
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
  Block *start = fresh("start");
  ir.CreateCondBr(good, start, other);
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
  ir.CreateStore(on, active);
  start_active = on;
  ir.CreateStore(ir.CreateICmpNE(state_field(offsetof(State, scc), i8, "scc"),
                                 ir.getInt8(0)),
                 scc);
  ir.CreateStore(state_field(offsetof(State, budget), i64, "budget"), budget);
  entry = start; // the cells' loads are put before its end
  Block *check_sites = fresh("sites");
  ir.CreateBr(check_sites);
  ir.SetInsertPoint(check_sites);
  check_epoch(enter);
}

void HotCode::epilogue() {
  // Every block's head is a way in.
  ir.SetInsertPoint(enter);
  SwitchInst *heads = ir.CreateSwitch(
      ir.CreatePtrToInt(function->getArg(1), i64), body, blocks.size());
  for (auto [head, block] : blocks)
    if (block != body)
      heads->addCase(ir.getInt64(reinterpret_cast<u64>(head)), block);

  // The way out looks at EXEC even when nothing else does.
  cell(scalar_operand(EXEC));
  cell(scalar_operand(EXEC + 1));
  // Every cell is read on entry.
  IRBuilder<> first(&function->getEntryBlock(),
                    function->getEntryBlock().begin());
  ir.SetInsertPoint(entry->getTerminator());
  u64 mask = u64(1) << request.lane;
  for (auto &[offset, cell] : cells) {
    if (offset == scalar_operand(EXEC))
      ir.CreateStore(
          ir.CreateSelect(start_active, constant32(u32(mask)), constant32(0)),
          cell.variable);
    else if (offset == scalar_operand(EXEC + 1))
      ir.CreateStore(ir.CreateSelect(start_active, constant32(u32(mask >> 32)),
                                     constant32(0)),
                     cell.variable);
    else
      ir.CreateStore(ir.CreateLoad(i32, state_pointer(offset)), cell.variable);
  }
  // The one way out: everything back into State.
  auto write_back = [&] {
    for (auto &[offset, cell] : cells)
      if (cell.dirty)
        ir.CreateStore(ir.CreateLoad(i32, cell.variable),
                       state_pointer(offset));
    ir.CreateStore(ir.CreateZExt(ir.CreateLoad(i1, scc), i8),
                   state_pointer(offsetof(State, scc)));
    ir.CreateStore(ir.CreateLoad(i64, budget),
                   state_pointer(offsetof(State, budget)));
    // As State::exec_changed does it.
    Value *exec = ir.CreateOr(
        ir.CreateZExt(ir.CreateLoad(i32, cell(scalar_operand(EXEC))), i64),
        ir.CreateShl(
            ir.CreateZExt(ir.CreateLoad(i32, cell(scalar_operand(EXEC + 1))),
                          i64),
            32));
    Value *below = ir.CreateAnd(exec, ir.CreateSub(exec, constant64(1)));
    Value *shape = ir.CreateSelect(ir.CreateICmpEQ(below, constant64(0)),
                                   constant32(ONE), constant32(SOME));
    shape = ir.CreateSelect(ir.CreateICmpEQ(exec, constant64(0)),
                            constant32(NONE), shape);
    shape = ir.CreateSelect(ir.CreateICmpEQ(exec, constant64(~u64(0))),
                            constant32(FULL), shape);
    ir.CreateStore(shape, state_pointer(offsetof(State, shape)));
    ir.CreateStore(ir.getInt8(0), state_pointer(offsetof(State, mask_valid)));
    // A new only lane, when there is one.
    Value *lane =
        ir.CreateBinaryIntrinsic(Intrinsic::cttz, exec, ir.getFalse());
    Value *lane4 = ir.CreateShl(ir.CreateTrunc(lane, i32), 2);
    Value *old = state_field(offsetof(State, lane4), i32, "lane4");
    ir.CreateStore(
        ir.CreateSelect(ir.CreateICmpEQ(shape, constant32(ONE)), lane4, old),
        state_pointer(offsetof(State, lane4)));
    return shape;
  };
  ir.SetInsertPoint(out);
  Value *shape = write_back();
  Value *tagged = state_field(offsetof(State, resume), i64, "tagged");
  Value *to = ir.CreateIntToPtr(ir.CreateAnd(tagged, ~u64(1)), ptr);
  // What could not be done here goes to the handler that is never replaced, or
  // a block that begins with it would be entered for ever.
  Value *again = ir.CreateTrunc(tagged, i1);
  Value *slot = ir.CreateSelect(again, constant32(SOME), shape);
  Value *handler = ir.CreateLoad(
      ptr, ir.CreateGEP(ptr, to, ir.CreateZExt(slot, i64)), "handler");
  CallInst *tail =
      ir.CreateCall(function->getFunctionType(), handler, {state, to});
  tail->setTailCallKind(CallInst::TCK_MustTail);
  ir.CreateRetVoid();

  ir.SetInsertPoint(stopped);
  write_back();
  ir.CreateStore(ir.getInt8(u8(Stop::budget)),
                 state_pointer(offsetof(State, stop)));
  ir.CreateRetVoid();
}

HotCode::Block *HotCode::leaving(const Inst *at, bool again) {
  u64 to = reinterpret_cast<u64>(at) | again;
  Block *&block = leaves[to];
  if (block)
    return block;
  block = fresh("leave");
  IRBuilder<> there(block);
  // Volatile, so that the block stays: LLVM would fold the hundreds of empty
  // ones into the way out one by one, at a cost that grows with their square.
  there.CreateStore(
      there.getInt64(to),
      there.CreateConstInBoundsGEP1_64(i8, state, offsetof(State, resume)),
      /*isVolatile=*/true);
  there.CreateBr(out);
  return block;
}
void HotCode::leave(const Inst *at) {
  ++left[name];
  ir.CreateBr(leaving(at, /*again=*/true));
}
void HotCode::leave_for(const Inst *next) {
  ++left["size"];
  ir.CreateBr(leaving(next, /*again=*/false));
}

std::vector<const Inst *> HotCode::heads() const {
  std::vector<const Inst *> all;
  for (auto [head, block] : blocks)
    all.push_back(head);
  return all;
}

std::string HotCode::summary() const {
  std::string text = std::to_string(translated) + " instructions, " +
                     std::to_string(blocks.size()) + " blocks";
  const char *separator = "; left for ";
  for (auto &[what, count] : left) {
    text += separator + what + " x" + std::to_string(count);
    separator = ", ";
  }
  return text;
}

HotCode::Block *HotCode::block_of(const Inst *head) {
  if (Block *known = blocks.lookup(head))
    return known;
  if (full())
    return nullptr;
  Block *block = fresh("trace");
  blocks[head] = block;
  pending.push_back(head);
  return block;
}

const Inst *HotCode::decoded(u64 offset) {
  return request.find(request.context, request.code_base + offset);
}

/// The interpreter's GO: pays for the block and goes on at `to`.
void HotCode::go(const Inst *from, const Inst *to) {
  Block *block = to ? block_of(to) : nullptr;
  if (!block) { // not decoded yet, or too far: as the interpreter would
    if (!to)
      return leave(from);
    return leave_for(to);
  }
  Value *left =
      ir.CreateSub(ir.CreateLoad(i64, budget), constant64(from->length));
  ir.CreateStore(left, budget);
  if (to->pc > from->pc) {
    ir.CreateBr(block);
    return;
  }
  // Backward: the time slice may be over, memory may have been freed.
  loops = true;
  Block *on = fresh("on"), *stop = fresh("stop");
  ir.CreateCondBr(ir.CreateICmpSGT(left, constant64(0)), on, stop,
                  MDBuilder(context).createLikelyBranchWeights());
  ir.SetInsertPoint(stop);
  ir.CreateStore(ir.getInt64(reinterpret_cast<u64>(to)),
                 state_pointer(offsetof(State, resume)), /*isVolatile=*/true);
  ir.CreateBr(stopped);
  ir.SetInsertPoint(on);
  check_epoch(block);
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

void HotCode::trace(const Inst *head) {
  ir.SetInsertPoint(blocks[head]);
  constants.clear();
  constant_scc.reset();
  for (const Inst *i = head;; ++i) {
    if (full() && i != head && i->pc != i[-1].pc) {
      if (const Inst *rest = decoded(i->pc)) { // where a sample will find it
        return leave_for(rest);
      }
    }
    if (translate(i) == Flow::ended)
      return;
  }
}

HotCode::Flow HotCode::translate(const Inst *i) {
  // fn[ONE] of a block's head may be code that was compiled earlier.
  Meaning meaning = meanings.of(i->fn[ONE]);
  if (meaning.step == Step::opaque)
    meaning = meanings.of(i->fn[SOME]);
  ++translated;
  name = meaning.operation ? meaning.operation->name : "a step";
  switch (meaning.step) {
  case Step::nothing:
    return Flow::next;
  case Step::link:
    go(i, i->target.load(std::memory_order_acquire) ? i->target.load()
                                                    : decoded(i->imm));
    return Flow::ended;
  case Step::sdwa:
    return sdwa(i);
  case Step::sdwa_merge:
    return sdwa_merge(i);
  case Step::modify: {
    Value *v = read32(i, i->src[0]);
    v = i->imm & 2 ? ir.CreateAnd(v, 0x7fffffffu) : v;
    v = i->imm & 1 ? ir.CreateXor(v, 0x80000000u) : v;
    set(offset_of(i->dst), v);
    return Flow::next;
  }
  case Step::upper_half:
    set(offset_of(i->dst), ir.CreateLShr(read32(i, i->src[0]), 16));
    return Flow::next;
  case Step::insert_half: {
    Value *old = read32(i, i->dst), *v = read32(i, i->src[0]);
    v = i->imm ? ir.CreateOr(ir.CreateAnd(old, 0xffff), ir.CreateShl(v, 16))
               : ir.CreateOr(ir.CreateAnd(old, 0xffff0000u),
                             ir.CreateAnd(v, 0xffff));
    write_vector(i->dst, ir.CreateZExt(v, i64), 1);
    return Flow::next;
  }
  case Step::copy_scalar: {
    Value *v = i->imm == 0   ? ir.CreateICmpEQ(read64(i, scalar_operand(VCC)),
                                               constant64(0))
               : i->imm == 1 ? ir.CreateNot(ir.CreateLoad(i1, active))
                             : static_cast<Value *>(ir.CreateLoad(i1, scc));
    write_scalar(i->dst, ir.CreateZExt(v, i64), 8);
    return Flow::next;
  }
  case Step::set_exec:
    return write_exec(i, read64(i, i->src[0]));
  case Step::operation:
    break;
  case Step::opaque:
    leave(i);
    return Flow::ended;
  }
  switch (meaning.operation->form) {
  case Form::valu:
  case Form::vcmp:
  case Form::packed:
  case Form::packed32:
    return vector_operation(i, meaning);
  case Form::salu:
    return scalar_operation(i, meaning);
  case Form::saveexec:
    return save_exec(i, *meaning.operation);
  case Form::memory:
    return memory(i, meaning.operation->name);
  case Form::special:
    return special(i, *meaning.operation);
  default:
    leave(i);
    return Flow::ended;
  }
}

HotCode::Flow HotCode::control(const Inst *i, StringRef name) {
  auto target = [&] {
    const Inst *to = i->target.load(std::memory_order_acquire);
    return to ? to : decoded(i->imm);
  };
  auto return_address = [&] { return request.code_base + i->pc + 4; };
  auto link_to = [&](Operand dst) {
    write_scalar(dst, constant64(return_address()), 8);
    if (const Inst *back = request.find(request.context, return_address()))
      if (block_of(back))
        return_sites.emplace_back(return_address(), back);
  };
  if (name == "s_branch") {
    go(i, target());
    return Flow::ended;
  }
  if (name == "s_getpc_b64") {
    write_scalar(i->dst, constant64(return_address()), 8);
    constants[offset_of(i->dst)] = u32(return_address());
    constants[offset_of(i->dst) + 4] = u32(return_address() >> 32);
    return Flow::next;
  }
  if (name == "s_call_b64") {
    const Inst *to = target();
    if (!to) {
      leave(i);
      return Flow::ended;
    }
    link_to(i->dst);
    go(i, to);
    return Flow::ended;
  }
  if (name == "s_swappc_b64") {
    auto low = known(i->src[0], i), high = known(i->src[0] + 4, i);
    const Inst *to =
        low && high ? request.find(request.context, u64(*high) << 32 | *low)
                    : nullptr;
    if (!to) {
      leave(i);
      return Flow::ended;
    }
    link_to(i->dst);
    go(i, to);
    return Flow::ended;
  }
  if (name == "s_setpc_b64") {
    // Which returns it may be is known only when every call has been seen.
    indirect.push_back({ir.GetInsertBlock(), i, read64(i, i->src[0])});
    return Flow::ended;
  }
  Value *taken = nullptr;
  if (name == "s_cbranch_scc0")
    taken = ir.CreateNot(ir.CreateLoad(i1, scc));
  else if (name == "s_cbranch_scc1")
    taken = ir.CreateLoad(i1, scc);
  else if (name == "s_cbranch_vccz")
    taken = ir.CreateICmpEQ(read64(i, scalar_operand(VCC)), constant64(0));
  else if (name == "s_cbranch_vccnz")
    taken = ir.CreateICmpNE(read64(i, scalar_operand(VCC)), constant64(0));
  else if (name == "s_cbranch_execz")
    taken = ir.CreateNot(ir.CreateLoad(i1, active));
  else if (name == "s_cbranch_execnz")
    taken = ir.CreateLoad(i1, active);
  else {
    leave(i);
    return Flow::ended;
  }
  Block *yes = fresh("taken"), *no = fresh("fall");
  ir.CreateCondBr(taken, yes, no);
  ir.SetInsertPoint(yes);
  go(i, target());
  ir.SetInsertPoint(no);
  return Flow::next;
}

void HotCode::returns() {
  for (const Return &site : indirect) {
    ir.SetInsertPoint(site.block);
    SwitchInst *choose = ir.CreateSwitch(site.target, leaving(site.inst, true),
                                         return_sites.size());
    SmallPtrSet<const Inst *, 16> seen;
    for (auto [address, back] : return_sites) {
      if (!seen.insert(back).second)
        continue;
      Block *arrive = fresh("return");
      choose->addCase(ir.getInt64(address), arrive);
      ir.SetInsertPoint(arrive);
      go(site.inst, back);
    }
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
