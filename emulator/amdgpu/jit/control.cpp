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

HotCode::Flow HotCode::control(const Inst *i, StringRef name) {
  u64 return_address = request.code_base + i->pc + 4;
  bool called_before = true;
  auto call = [&](const Inst *to) {
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
  bool seldom;
  if (name == "s_branch") {
    const Inst *to = target_of(i, seldom);
    go(i, to, seldom);
    return Flow::ended;
  }
  if (name == "s_getpc_b64") {
    write_scalar(i->dst, constant64(return_address), 8);
    constants[offset_of(i->dst)] = u32(return_address);
    constants[offset_of(i->dst) + 4] = u32(return_address >> 32);
    return Flow::next;
  }
  if (name == "s_call_b64") {
    const Inst *to = target_of(i, seldom);
    called_before = !seldom;
    if (to)
      return call(to);
  }
  if (name == "s_swappc_b64") {
    auto low = known(i->src[0], i), high = known(i->src[0] + 4, i);
    u64 where = low && high ? u64(*high) << 32 | *low : 0;
    called_before = request.visited(request.context, where);
    if (const Inst *to = request.find(request.context, where))
      return call(to);
  }
  if (name == "s_setpc_b64") {
    auto low = known(i->src[0], i), high = known(i->src[0] + 4, i);
    if (low && high) { // the last call of a function
      u64 where = u64(*high) << 32 | *low;
      bool seldom = !request.visited(request.context, where);
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
  Value *taken = nullptr;
  if (name == "s_cbranch_scc0")
    taken = ir.CreateNot(get_scc());
  else if (name == "s_cbranch_scc1")
    taken = get_scc();
  else if (name == "s_cbranch_vccz")
    taken = ir.CreateICmpEQ(read64(i, scalar_operand(VCC)), constant64(0));
  else if (name == "s_cbranch_vccnz")
    taken = ir.CreateICmpNE(read64(i, scalar_operand(VCC)), constant64(0));
  else if (name == "s_cbranch_execz" || name == "s_cbranch_execnz") {
    if (on == (name == "s_cbranch_execz"))
      return Flow::next;
    const Inst *to = target_of(i, seldom);
    go(i, to, seldom);
    return Flow::ended;
  } else {
    leave(i);
    // Behind it the interpreter may come back.
    if (name == "s_barrier" || name.starts_with("s_sleep") ||
        name.starts_with("v_") || name.starts_with("s_get") ||
        name.starts_with("s_set"))
      if (name != "s_setpc_b64" && name != "s_set_gpr_idx_on")
        ways_in.insert(&trace_at({i + 1, on}));
    return Flow::ended;
  }
  Block *yes = fresh("taken"), *no = fresh("fall");
  ir.CreateCondBr(taken, yes, no);
  // What is to be written back is so on either side by itself.
  auto dirty_here = dirty;
  bool scc_dirty_here = scc_dirty;
  ir.SetInsertPoint(yes);
  leaves.clear();
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
