//===-- emulator/amdgpu/jit/hot_code.cpp - Traces, ways in and out
//----------===//
#include "emulator/amdgpu/jit/hot_code.h"

#include "llvm/IR/MDBuilder.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

// Past these the code is cut off; what is behind is compiled on its own when it
// is hot. What was never gone to yet comes last, and only into small regions.
static constexpr unsigned MAX_TRACES = 500, MAX_INSTRUCTIONS = 2000,
                          MAX_WITH_SELDOM = 300;
static constexpr unsigned MAX_STRAIGHT = 3000;
// A region that has as much goes to what was compiled before rather than
// compiling it again.
static constexpr unsigned ENOUGH = 150;
// A branch that would have more to write back than this has it done before.
static constexpr unsigned MAX_DIRTY = 32;

bool HotCode::full() const {
  return traces.size() >= MAX_TRACES || translated >= MAX_INSTRUCTIONS;
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
  ways_in.insert(&trace_at({request.head, request.on}));
  translate_traces();
  if (failed || (translated < 8 && !loops))
    return false;
  returns();
  entries();
  way_out();
  return true;
}

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

Result HotCode::result(Handler handler) const {
  Result all;
  all.handler = handler;
  for (const Trace *way : ways_in)
    if (way->translated)
      all.entries.push_back({way->at.inst, way->at.on ? ONE : NONE});
  for (auto &[key, trace] : traces)
    if (trace.translated)
      all.covered.push_back(trace.at.inst);
  return all;
}

std::string HotCode::summary() const {
  std::string text = std::to_string(translated) + " instructions, " +
                     std::to_string(traces.size()) + " blocks, " +
                     std::to_string(ways_in.size()) + " ways in";
  const char *separator = "; left for ";
  for (auto &[what, count] : left) {
    text += separator + what + " x" + std::to_string(count);
    separator = ", ";
  }
  return text;
}

HotCode::Trace &HotCode::trace_at(Point point, bool seldom) {
  auto [it, is_new] = traces.insert({point.key(), Trace{}});
  Trace &trace = it->second;
  if (is_new) {
    trace.at = point;
    trace.block = fresh("trace");
    trace.segment = liveness.add_segment();
    trace.seldom = true;
    seldom_pending.push_back(&trace);
  }
  if (trace.seldom && !seldom) {
    trace.seldom = false;
    pending.push_back(&trace);
  }
  return trace;
}

/// Whether there is a way into older code.
bool HotCode::compiled_before(Point point) const {
  Handler handler = point.inst->fn[point.on ? ONE : NONE];
  return handler != point.inst->fn[SOME] &&
         meanings.of(handler).step == Step::opaque;
}

void HotCode::translate_traces() {
  for (;;) {
    Trace *next = nullptr;
    if (!pending.empty()) {
      next = pending.front();
      pending.pop_front();
    } else if (!seldom_pending.empty()) {
      next = seldom_pending.front();
      seldom_pending.pop_front();
      if (translated >= MAX_WITH_SELDOM)
        continue;
    } else
      break;
    if (!next->translated && !full() &&
        !(translated >= ENOUGH && compiled_before(next->at)))
      trace(*next);
  }
  for (auto &[key, trace] : traces)
    if (!trace.translated) {
      begin(trace.block, trace.segment, trace.at.on);
      leave_for(trace.at.inst);
    }
}

void HotCode::join(Trace &to) {
  liveness.edge(segment, to.segment);
  ir.CreateBr(to.block);
}

/// The interpreter's GO: pays for the block and goes on at `to`.
void HotCode::go(const Inst *from, const Inst *to, bool seldom) {
  if (!to) // no code there
    return leave(from);
  flush();
  Trace &there = trace_at({to, on}, seldom);
  Value *left =
      ir.CreateSub(ir.CreateLoad(i64, budget), constant64(from->length));
  ir.CreateStore(left, budget);
  if (to->pc > from->pc)
    return join(there);
  // Backward: the time slice may be over, memory may have been freed.
  loops = true;
  ways_in.insert(&there);
  Block *more = fresh("more");
  ir.CreateCondBr(ir.CreateICmpSGT(left, constant64(0)), more,
                  leaving(to, Way::stopped),
                  MDBuilder(context).createLikelyBranchWeights());
  ir.SetInsertPoint(more);
  liveness.edge(segment, there.segment);
  check_epoch(there.block);
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

/// State holds every register at the beginning of `block`.
void HotCode::begin(Block *block, unsigned where, bool lane_on) {
  ir.SetInsertPoint(block);
  segment = where;
  on = lane_on;
  dirty.clear();
  scc_dirty = false;
  leaves.clear();
  constants.clear();
  constant_scc.reset();
}

void HotCode::trace(Trace &trace) {
  trace.translated = true;
  begin(trace.block, trace.segment, trace.at.on);
  const Inst *head = trace.at.inst;
  for (const Inst *i = head;; ++i) {
    // Straight code is not cut into pieces before it is very long.
    if (translated >= MAX_STRAIGHT && i != head && i->pc != i[-1].pc)
      return leave_for(i);
    if (translate(i) == Flow::ended)
      return;
    if (dirty.size() > MAX_DIRTY)
      flush();
  }
}

HotCode::Flow HotCode::translate(const Inst *i) {
  // fn[ONE] may be code that was compiled earlier.
  Meaning meaning = meanings.of(i->fn[ONE]);
  if (meaning.step == Step::opaque)
    meaning = meanings.of(i->fn[SOME]);
  // What needs the lane is nothing without it.
  if (on || !meaning.operation || meaning.operation->form == Form::salu)
    ++translated;
  name = meaning.operation ? meaning.operation->name : "a step";
  switch (meaning.step) {
  case Step::nothing:
    return Flow::next;
  case Step::link: {
    bool seldom;
    const Inst *to = target_of(i, seldom);
    go(i, to, seldom);
    return Flow::ended;
  }
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
               : i->imm == 1 ? ir.getInt1(!on)
                             : get_scc();
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

} // namespace gpuexec::emulator::amdgpu::jit
