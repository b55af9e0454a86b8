//===-- emulator/amdgpu/jit/traces.cpp - Blocks of compiled code ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/traces.h"

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

// Registers that State need not hold at a trace cost stores in its side exits. A
// loop with more of them writes all registers to State in each round instead.
static constexpr unsigned MOST_UNWRITTEN = 200;

Trace &Traces::at(Point point, bool is_cold) {
  auto [it, is_new] = traces.insert({point.key(), Trace{}});
  Trace &trace = it->second;
  if (is_new) {
    trace.at = point;
    trace.block = b.block("trace");
    trace.segment = registers.new_segment();
    trace.cold = true;
    cold.push_back(&trace);
  }
  if (trace.cold && !is_cold) {
    trace.cold = false;
    hot.push_back(&trace);
  }
  return trace;
}

void Traces::add_entry(Point point, bool is_cold) {
  entries.insert(&at(point, is_cold));
}

static Trace *take(std::deque<Trace *> &from) {
  if (from.empty())
    return nullptr;
  Trace *trace = from.front();
  from.pop_front();
  return trace;
}
Trace *Traces::next_hot() { return take(hot); }
Trace *Traces::next_cold() { return take(cold); }

/// What State need not hold where the trace begins. Nothing (State holds all)
/// if that is more than MOST_UNWRITTEN registers.
const RegisterFile::Unwritten &Traces::unwritten_at(const Trace &trace) const {
  static const RegisterFile::Unwritten nothing;
  auto it = unwritten.find(trace.at.key());
  return it == unwritten.end() || it->second.registers.size() > MOST_UNWRITTEN
             ? nothing
             : it->second;
}

void Traces::forget_dead(const Trace &to) {
  auto it = unwritten.find(to.at.key());
  if (it != unwritten.end())
    registers.forget(it->second.dead);
}

void Traces::begin(const Trace &trace) {
  registers.begin(trace.block, trace.segment, trace.at.on);
  registers.assume(unwritten_at(trace));
}

/// Before a branch to the trace: emits the stores of all registers that State
/// must hold there.
void Traces::write_for(const Trace &to) {
  forget_dead(to);
  RegisterFile::Unwritten &all = arrived[to.at.key()];
  RegisterFile::Unwritten here = registers.unwritten();
  all.registers.merge(here.registers);
  all.scc |= here.scc;
  registers.flush_except(unwritten_at(to));
}

void Traces::join(Trace &to) {
  registers.edge_to(to.segment);
  b.ir.CreateBr(to.block);
}

void Traces::go(const Inst *from, const Inst *to, bool is_cold,
                const char *what) {
  if (!to)
    return exits.leave(from, what);
  Trace &there = at({to, registers.lane_on()}, is_cold);
  write_for(there);
  Value *rest = exits.pay(from->length);
  if (to->pc > from->pc)
    return join(there);
  // Backward: the time slice may be over, memory may have been freed.
  loops = true;
  entries.insert(&there);
  Block *more = b.block("more");
  b.ir.CreateCondBr(b.ir.CreateICmpSGT(rest, b.constant64(0)), more,
                    exits.exit(to, SideExits::To::stop), b.likely());
  b.ir.SetInsertPoint(more);
  registers.edge_to(there.segment);
  b.check_epoch(there.block);
}

void Traces::leave_untranslated() {
  for (auto &[key, trace] : traces)
    if (!trace.translated) {
      begin(trace);
      exits.leave_for(trace.at.inst);
    }
}

void Traces::dispatch() {
  registers.solve();
  // A register that no later code reads is stored here once, so that the side
  // exits further on need not store it.
  for (auto &[key, trace] : traces)
    registers.remove_dead(arrived[key], trace.segment);
  Block *none = b.block("none");
  SwitchInst *choose =
      b.ir.CreateSwitch(b.entry, none, unsigned(entries.size()));
  u64 number = 0;
  for (Trace *entry : entries) {
    if (!entry->translated)
      continue;
    Block *block = b.block("in");
    choose->addCase(b.ir.getInt64(number), block);
    b.ir.SetInsertPoint(block);
    registers.load_live(entry->segment);
    b.ir.CreateBr(entry->block);
    add_handler(number++);
  }
  b.ir.SetInsertPoint(none); // the handlers below are all that call it
  b.ir.CreateUnreachable();
}

/// The handler of the entry of that number. It has the region's type, for the
/// tail call: its last argument is never read.
void Traces::add_handler(u64 number) {
  auto *handler = Function::Create(
      b.function->getFunctionType(), GlobalValue::ExternalLinkage,
      Compiler::entry_name(number), *b.work.module);
  handler->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> there(Block::Create(b.context, "", handler));
  CallInst *call =
      there.CreateCall(b.function, {handler->getArg(0), handler->getArg(1),
                                    there.getInt64(number)});
  call->setTailCallKind(CallInst::TCK_MustTail);
  there.CreateRetVoid();
}

Result Traces::result() const {
  Result all;
  for (const Trace *entry : entries)
    if (entry->translated)
      all.entries.push_back({entry->at.inst, entry->at.on ? ONE : NONE});
  for (auto &[key, trace] : traces)
    if (trace.translated)
      all.covered.push_back(trace.at.inst);
  return all;
}

} // namespace gpuexec::emulator::amdgpu::jit
