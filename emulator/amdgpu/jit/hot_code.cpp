//===-- emulator/amdgpu/jit/hot_code.cpp - Traces of hot code -------------===//
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

HotCode::HotCode(Compiler &compiler, const std::set<Entry> &compiled,
                 const Request &request)
    : compiler(compiler), compiled(compiled), request(request),
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
  return compiled.count({point.inst, point.on ? ONE : NONE});
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
  if (i->kind != MicroOpKind::operation)
    return micro_op(i);
  const Operation &op = operation(*i);
  name = op.name;
  // What needs the lane is nothing without it.
  if (on || op.form == Form::salu)
    ++translated;
  switch (op.form) {
  case Form::valu:
  case Form::vcmp:
  case Form::packed:
  case Form::packed32:
    return vector_operation(i);
  case Form::salu:
    return scalar_operation(i);
  case Form::saveexec:
    return save_exec(i);
  case Form::memory:
    return memory(i);
  case Form::scalar_load:
    return scalar_load(i);
  case Form::special:
    return special(i);
  default:
    leave(i);
    return Flow::ended;
  }
}

HotCode::Flow HotCode::micro_op(const Inst *i) {
  name = "a micro-op";
  ++translated;
  switch (i->kind) {
  case MicroOpKind::skip:
    return Flow::next;
  case MicroOpKind::fence:
    ir.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return Flow::next;
  case MicroOpKind::link: {
    bool seldom;
    const Inst *to = target_of(i, seldom);
    go(i, to, seldom);
    return Flow::ended;
  }
  case MicroOpKind::sdwa:
    return sdwa(i);
  case MicroOpKind::sdwa_merge:
    return sdwa_merge(i);
  case MicroOpKind::modify: {
    Value *v = read32(i, i->src[0]);
    v = i->imm & 2 ? ir.CreateAnd(v, 0x7fffffffu) : v;
    v = i->imm & 1 ? ir.CreateXor(v, 0x80000000u) : v;
    set(offset_of(i->dst), v);
    return Flow::next;
  }
  case MicroOpKind::upper_half:
    set(offset_of(i->dst), ir.CreateLShr(read32(i, i->src[0]), 16));
    return Flow::next;
  case MicroOpKind::insert_half: {
    Value *old = read32(i, i->dst), *v = read32(i, i->src[0]);
    v = i->imm ? ir.CreateOr(ir.CreateAnd(old, 0xffff), ir.CreateShl(v, 16))
               : ir.CreateOr(ir.CreateAnd(old, 0xffff0000u),
                             ir.CreateAnd(v, 0xffff));
    write_vector(i->dst, ir.CreateZExt(v, i64), 1);
    return Flow::next;
  }
  case MicroOpKind::copy_scalar: {
    Value *v = i->imm == 0   ? ir.CreateICmpEQ(read64(i, scalar_operand(VCC)),
                                               constant64(0))
               : i->imm == 1 ? ir.getInt1(!on)
                             : get_scc();
    write_scalar(i->dst, ir.CreateZExt(v, i64), 8);
    return Flow::next;
  }
  case MicroOpKind::set_exec:
    return write_exec(i, read64(i, i->src[0]));
  default:
    leave(i);
    return Flow::ended;
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
