//===-- emulator/amdgpu/jit/control_flow.cpp - Branches and calls ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/jit/control_flow.h"

#include "llvm/ADT/SmallPtrSet.h"

#include <cstddef>

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

// Targets.

bool ControlFlow::is_warm(const Inst *block) const {
  if (!b.request.warm)
    return true;
  auto found = b.request.warm->find(block);
  return found != b.request.warm->end() && found->second >= b.request.warm_from;
}

/// Where a direct branch goes; null when there is no code. The interpreter
/// notes the target when it first takes the branch: code behind a branch that
/// it never took is cold.
const Inst *ControlFlow::target_of(const Inst *i, bool &cold) const {
  const Request &request = b.request;
  const Inst *to = i->target.load(std::memory_order_acquire);
  const u64 where = request.code_base + i->imm;
  const Inst *found = to ? to : request.find(request.context, where);
  cold = (!to && !request.visited(request.context, where)) || !is_warm(found);
  return found;
}

/// The target address of an indirect branch; 0 when it is not known while
/// translating.
u64 ControlFlow::known_target(const Inst *i) const {
  auto low = registers.known(i, i->src[0]),
       high = registers.known(i, i->src[0], 1);
  return low && high ? u64(*high) << 32 | *low : 0;
}

// Branches.

Flow ControlFlow::link(const Inst *i) { return direct(i); }

Flow ControlFlow::direct(const Inst *i) {
  bool cold;
  const Inst *to = target_of(i, cold);
  traces.go(i, to, cold, name_of(*i));
  return Flow::ended;
}

Flow ControlFlow::branch(const Inst *i) {
  switch (operation(*i).terminator) {
  case Terminator::branch:
    return direct(i);
  case Terminator::conditional:
    return conditional(i);
  case Terminator::call: {
    bool cold;
    const Inst *to = target_of(i, cold);
    return to ? call(i, to, cold) : Flow::interpret;
  }
  case Terminator::indirect_call:
    return indirect_call(i);
  case Terminator::indirect_branch:
    return indirect_branch(i);
  case Terminator::none:
  case Terminator::end:
    break;
  }
  return Flow::interpret;
}

Flow ControlFlow::get_pc(const Inst *i) {
  u64 address = return_address(i);
  registers.write_scalar(i->dst, b.constant64(address), 8);
  registers.learn(i->dst, 0, u32(address));
  registers.learn(i->dst, 1, u32(address >> 32));
  return Flow::next;
}

Flow ControlFlow::conditional(const Inst *i) {
  Condition condition = operation(*i).branches_on;
  auto vcc_is_zero = [&] {
    const bool is_pair =
        condition == Condition::vccz || condition == Condition::vccnz;
    return b.ir.CreateICmpEQ(
        registers.read(i, scalar_operand(VCC), is_pair ? 2 : 1),
        b.constant64(0));
  };
  switch (condition) {
  case Condition::scc0:
    return conditional_on(i, b.ir.CreateNot(registers.scc()));
  case Condition::scc1:
    return conditional_on(i, registers.scc());
  case Condition::vccz:
  case Condition::vccz_low:
    return conditional_on(i, vcc_is_zero());
  case Condition::vccnz:
  case Condition::vccnz_low:
    return conditional_on(i, b.ir.CreateNot(vcc_is_zero()));
  case Condition::execz:
  case Condition::execnz:
    // Known while translating.
    return registers.lane_on() == (condition == Condition::execz) ? Flow::next
                                                                  : direct(i);
  case Condition::none:
    break;
  }
  return Flow::interpret;
}

Flow ControlFlow::conditional_on(const Inst *i, Value *taken) {
  Block *yes = b.block("taken"), *no = b.block("fall");
  b.ir.CreateCondBr(taken, yes, no);
  // Each successor stores the dirty registers itself.
  RegisterFile::Dirty unsaved = registers.unsaved();
  b.ir.SetInsertPoint(yes);
  registers.set_unsaved(unsaved);
  bool cold;
  const Inst *to = target_of(i, cold);
  traces.go(i, to, cold, name_of(*i));
  b.ir.SetInsertPoint(no);
  registers.set_unsaved(std::move(unsaved));
  const bool passed = b.request.warm && is_warm(i + 1);
  if (to && to->pc <= i->pc && !cold) { // behind a loop
    registers.flush();
    traces.join(traces.at({i + 1, registers.lane_on()}, !passed));
    return Flow::ended;
  }
  if (b.request.warm && !passed) {
    exits.leave_for(i + 1);
    return Flow::ended;
  }
  registers.continue_in_new_segment();
  return Flow::next;
}

Flow ControlFlow::write_exec(const Inst *i, Value *mask) {
  if (i[1].pc != i->pc)
    registers.end_instruction();
  registers.flush();
  Block *narrow = b.block("exec"), *more_lanes = b.block("wide");
  b.ir.CreateCondBr(
      b.ir.CreateICmpEQ(b.ir.CreateAnd(mask, ~b.lane_mask()), b.constant64(0)),
      narrow, more_lanes);
  // More than one lane is active from here on.
  b.ir.SetInsertPoint(more_lanes);
  b.ir.CreateStore(mask, b.state_pointer(scalar_operand(EXEC)));
  b.ir.CreateBr(exits.exit(i + 1, SideExits::To::wide));
  b.ir.SetInsertPoint(narrow);
  Trace &with = traces.at({i + 1, true}), &without = traces.at({i + 1, false});
  registers.edge_to(with.segment);
  registers.edge_to(without.segment);
  b.ir.CreateCondBr(b.ir.CreateICmpNE(mask, b.constant64(0)), with.block,
                    without.block);
  return Flow::ended;
}

// Calls and returns. They are remembered for reports, as the interpreter does
// (interpret/control.h); remembered_call() is in state.h.

Flow ControlFlow::call(const Inst *i, const Inst *to, bool cold) {
  bool on = registers.lane_on();
  u64 back = return_address(i);
  registers.write_scalar(i->dst, b.constant64(back), 8);
  if (const Inst *block = add_return(back))
    returns.emplace_back(back, block);
  note_call(back);
  traces.go(i, to, cold, name_of(*i));
  traces.add_entry({to, on}, cold);
  return Flow::ended;
}

/// Makes the block at a return address an entry: control may return to it from
/// another region. Null if there is no block.
const Inst *ControlFlow::add_return(u64 address) {
  const Request &request = b.request;
  const Inst *block = request.find(request.context, address);
  if (block)
    traces.add_entry({block, registers.lane_on()},
                     !request.visited(request.context, address));
  return block;
}

/// Emits what State::visited_block() does. Goes on where there is such a block,
/// or to `otherwise`.
Value *ControlFlow::visited_block(Value *address, Block *otherwise) {
  Value *offset = b.ir.CreateSub(address, b.constant64(b.request.code_base));
  Value *size = b.state_field(offsetof(State, code_size), b.i64, "code_size");
  Value *good = b.ir.CreateAnd(
      b.ir.CreateICmpULT(offset, size),
      b.ir.CreateICmpEQ(b.ir.CreateAnd(offset, 3), b.constant64(0)));
  Block *inside = b.block("inside"), *known = b.block("known");
  b.ir.CreateCondBr(good, inside, otherwise, b.likely());
  b.ir.SetInsertPoint(inside);
  Value *slot =
      b.ir.CreateGEP(b.i8, b.state_field(offsetof(State, blocks), b.ptr, "all"),
                     b.ir.CreateMul(offset, b.constant64(sizeof(Inst *) / 4)));
  LoadInst *block = b.ir.CreateAlignedLoad(b.ptr, slot, Align(8), "block");
  block->setAtomic(AtomicOrdering::Acquire);
  b.ir.CreateCondBr(b.ir.CreateIsNotNull(block), known, otherwise, b.likely());
  b.ir.SetInsertPoint(known);
  return block;
}

Flow ControlFlow::indirect_call(const Inst *i) {
  const Request &request = b.request;
  if (u64 where = known_target(i))
    if (const Inst *to = request.find(request.context, where))
      return call(i, to,
                  !request.visited(request.context, where) || !is_warm(to));
  Value *target = registers.read64(i, i->src[0]);
  registers.flush();
  Value *to = visited_block(target, exits.exit(i, SideExits::To::interpreter));
  const u64 back = return_address(i);
  registers.write_scalar(i->dst, b.constant64(back), 8);
  registers.flush();
  note_call(back);
  exits.pay(i->length);
  exits.leave_for(to);
  add_return(back);
  return Flow::ended;
}

Flow ControlFlow::indirect_branch(const Inst *i) {
  const Request &request = b.request;
  bool on = registers.lane_on();
  u64 where = known_target(i);
  if (where) // the last call of a function
    if (const Inst *to = request.find(request.context, where)) {
      bool cold = !request.visited(request.context, where) || !is_warm(to);
      traces.go(i, to, cold, name_of(*i));
      traces.add_entry({to, on}, cold);
      return Flow::ended;
    }
  // All places that it may return to are known when every call was seen.
  Value *target = registers.read64(i, i->src[0]);
  registers.flush();
  indirect.push_back(
      {b.ir.GetInsertBlock(), i, target, on, registers.segment()});
  return Flow::ended;
}

void ControlFlow::finish() {
  for (const IndirectBranch &site : indirect) {
    registers.begin(site.block, site.segment, site.on);
    Block *elsewhere = b.block("elsewhere");
    SwitchInst *choose =
        b.ir.CreateSwitch(site.target, elsewhere, unsigned(returns.size()));
    SmallPtrSet<const Inst *, 16> seen;
    for (auto [address, back] : returns) {
      if (!traces.has({back, site.on}) || !seen.insert(back).second)
        continue;
      Block *arrive = b.block("return");
      choose->addCase(b.ir.getInt64(address), arrive);
      b.ir.SetInsertPoint(arrive);
      note_return(b.constant64(address));
      traces.go(site.inst, back, false, name_of(*site.inst));
    }
    registers.begin(elsewhere, site.segment, site.on);
    Value *to = visited_block(
        site.target, exits.exit(site.inst, SideExits::To::interpreter));
    note_return(site.target);
    exits.pay(site.inst->length);
    exits.leave_for(to);
  }
}

Value *ControlFlow::remembered(Value *return_address, Value *depth) {
  Value *rounds =
      b.ir.CreateZExt(b.ir.CreateLShr(depth, b.constant32(CALLS_SHIFT)), b.i64);
  return b.ir.CreateOr(b.ir.CreateShl(rounds, b.constant64(48)),
                       return_address);
}

void ControlFlow::note_call(u64 return_address) {
  Value *depth_at = b.state_pointer(offsetof(State, call_depth));
  Value *depth = b.ir.CreateLoad(b.i32, depth_at);
  b.ir.CreateStore(
      remembered(b.constant64(return_address), depth),
      b.ir.CreateInBoundsGEP(b.i64, b.state_pointer(offsetof(State, calls)),
                             b.ir.CreateAnd(depth, CALLS - 1)));
  b.ir.CreateStore(b.ir.CreateAdd(depth, b.constant32(1)), depth_at);
}

// If the return is not from the innermost remembered call, the list is left as
// it is: the interpreter's note_return() searches further.
void ControlFlow::note_return(Value *address) {
  Value *depth_at = b.state_pointer(offsetof(State, call_depth));
  Value *depth = b.ir.CreateLoad(b.i32, depth_at);
  Value *less = b.ir.CreateSub(depth, b.constant32(1));
  Value *innermost = b.ir.CreateLoad(
      b.i64,
      b.ir.CreateInBoundsGEP(b.i64, b.state_pointer(offsetof(State, calls)),
                             b.ir.CreateAnd(less, CALLS - 1)));
  b.ir.CreateStore(
      b.ir.CreateSelect(b.ir.CreateICmpEQ(innermost, remembered(address, less)),
                        less, depth),
      depth_at);
}

} // namespace gpuexec::emulator::amdgpu::jit
