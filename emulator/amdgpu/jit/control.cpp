//===-- emulator/amdgpu/jit/control.cpp - Branches, calls, returns --------===//
#include "emulator/amdgpu/jit/hot_code.h"

#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace gpuexec::emulator::amdgpu::jit {

/// Where a direct branch goes. The interpreter notes it when it first takes the
/// branch: where it never did, code is most likely of no use here.
const Inst *HotCode::target_of(const Inst *i, bool &seldom) {
  const Inst *to = i->target.load(std::memory_order_acquire);
  seldom = !to && !request.visited(request.context, request.code_base + i->imm);
  return to ? to : request.find(request.context, request.code_base + i->imm);
}

// Calls and returns are remembered for reports, as the interpreter does
// (control.h); remembered_call() is in state.h.
HotCode::Value *HotCode::remembered(u64 return_address, Value *depth) {
  Value *rounds =
      ir.CreateZExt(ir.CreateLShr(depth, constant32(CALLS_SHIFT)), i64);
  return ir.CreateOr(ir.CreateShl(rounds, constant64(48)),
                     constant64(return_address));
}

void HotCode::note_call(u64 return_address) {
  Value *depth_at = state_pointer(offsetof(State, call_depth));
  Value *depth = ir.CreateLoad(i32, depth_at);
  ir.CreateStore(remembered(return_address, depth),
                 ir.CreateInBoundsGEP(i64,
                                      state_pointer(offsetof(State, calls)),
                                      ir.CreateAnd(depth, CALLS - 1)));
  ir.CreateStore(ir.CreateAdd(depth, constant32(1)), depth_at);
}

// It may not be the innermost call that is returned from: the interpreter was
// told of more. Then it stays for the interpreter to find.
void HotCode::note_return(u64 address) {
  Value *depth_at = state_pointer(offsetof(State, call_depth));
  Value *depth = ir.CreateLoad(i32, depth_at);
  Value *less = ir.CreateSub(depth, constant32(1));
  Value *innermost = ir.CreateLoad(
      i64, ir.CreateInBoundsGEP(i64, state_pointer(offsetof(State, calls)),
                                ir.CreateAnd(less, CALLS - 1)));
  ir.CreateStore(
      ir.CreateSelect(ir.CreateICmpEQ(innermost, remembered(address, less)),
                      less, depth),
      depth_at);
}

HotCode::Flow HotCode::control(const Inst *i) {
  u64 return_address = request.code_base + i->pc + 4;
  auto call = [&](const Inst *to, bool called_before) {
    write_scalar(i->dst, constant64(return_address), 8);
    bool seldom = !request.visited(request.context, return_address);
    if (const Inst *back = request.find(request.context, return_address)) {
      ways_in.insert(&trace_at({back, on}, seldom));
      return_sites.emplace_back(return_address, back);
    }
    note_call(return_address);
    go(i, to, !called_before);
    ways_in.insert(&trace_at({to, on}, !called_before));
    return Flow::ended;
  };
  // The target of an indirect branch, as far as it is known; 0: it is not.
  auto known_target = [&]() -> u64 {
    auto low = known(i->src[0], i), high = known(i->src[0] + 4, i);
    return low && high ? u64(*high) << 32 | *low : 0;
  };
  bool seldom;
  const Operation &op = operation(*i);
  switch (op.terminator) {
  case Terminator::branch: {
    const Inst *to = target_of(i, seldom);
    go(i, to, seldom);
    return Flow::ended;
  }
  case Terminator::call:
    if (const Inst *to = target_of(i, seldom))
      return call(to, !seldom);
    break;
  case Terminator::indirect_call: {
    u64 where = known_target();
    if (const Inst *to = request.find(request.context, where))
      return call(to, request.visited(request.context, where));
    break;
  }
  case Terminator::indirect_branch: {
    if (u64 where = known_target()) { // the last call of a function
      seldom = !request.visited(request.context, where);
      if (const Inst *to = request.find(request.context, where)) {
        go(i, to, seldom);
        ways_in.insert(&trace_at({to, on}, seldom));
        return Flow::ended;
      }
    }
    // Which returns it may be is known only when every call has been seen.
    Value *target = read64(i, i->src[0]);
    flush();
    indirect.push_back({ir.GetInsertBlock(), i, target, on, segment});
    return Flow::ended;
  }
  case Terminator::conditional: {
    Value *vcc = nullptr;
    switch (op.branches_on) {
    case Condition::scc0:
      return conditional_branch(i, ir.CreateNot(get_scc()));
    case Condition::scc1:
      return conditional_branch(i, get_scc());
    case Condition::vccz:
      vcc = read64(i, scalar_operand(VCC));
      return conditional_branch(i, ir.CreateICmpEQ(vcc, constant64(0)));
    case Condition::vccnz:
      vcc = read64(i, scalar_operand(VCC));
      return conditional_branch(i, ir.CreateICmpNE(vcc, constant64(0)));
    case Condition::execz:
    case Condition::execnz:
    case Condition::none:
      break;
    }
    if (on == (op.branches_on == Condition::execz))
      return Flow::next;
    const Inst *to = target_of(i, seldom);
    go(i, to, seldom);
    return Flow::ended;
  }
  case Terminator::end:
    break;
  case Terminator::none:
    if (i->operation != OperationId::s_getpc_b64)
      return leave_past(i);
    write_scalar(i->dst, constant64(return_address), 8);
    constants[offset_of(i->dst)] = u32(return_address);
    constants[offset_of(i->dst) + 4] = u32(return_address >> 32);
    return Flow::next;
  }
  leave(i);
  return Flow::ended;
}

/// The interpreter does the instruction; it may come back behind some.
HotCode::Flow HotCode::leave_past(const Inst *i) {
  leave(i);
  switch (i->operation) {
  case OperationId::s_barrier:
  case OperationId::s_sleep:
  case OperationId::s_getreg_b32:
  case OperationId::s_setreg_b32:
  case OperationId::s_setreg_imm32_b32:
  case OperationId::s_set_gpr_idx_idx:
  case OperationId::s_set_gpr_idx_mode:
    ways_in.insert(&trace_at({i + 1, on}));
    break;
  default:
    break;
  }
  return Flow::ended;
}

HotCode::Flow HotCode::conditional_branch(const Inst *i, Value *taken) {
  Block *yes = fresh("taken"), *no = fresh("fall");
  ir.CreateCondBr(taken, yes, no);
  // Either side writes back by itself what has to be.
  auto dirty_here = dirty;
  bool scc_dirty_here = scc_dirty;
  ir.SetInsertPoint(yes);
  leaves.clear();
  bool seldom;
  const Inst *to = target_of(i, seldom);
  go(i, to, seldom);
  dirty = std::move(dirty_here);
  scc_dirty = scc_dirty_here;
  leaves.clear();
  ir.SetInsertPoint(no);
  if (to && to->pc <= i->pc && !seldom) { // behind a loop
    flush();
    join(trace_at({i + 1, on}, true));
    return Flow::ended;
  }
  unsigned rest = liveness.add_segment();
  liveness.edge(segment, rest);
  segment = rest;
  return Flow::next;
}

void HotCode::returns() {
  for (const Return &site : indirect) {
    begin(site.block, site.segment, site.on);
    SwitchInst *choose =
        ir.CreateSwitch(site.target, leaving(site.inst, Way::again),
                        unsigned(return_sites.size()));
    SmallPtrSet<const Inst *, 16> seen;
    for (auto [address, back] : return_sites) {
      if (!traces.count(Point{back, on}.key()) || !seen.insert(back).second)
        continue;
      Block *arrive = fresh("return");
      choose->addCase(ir.getInt64(address), arrive);
      ir.SetInsertPoint(arrive);
      note_return(address);
      go(site.inst, back);
    }
  }
}

} // namespace gpuexec::emulator::amdgpu::jit
