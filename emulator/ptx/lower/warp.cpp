//===-- emulator/ptx/lower/warp.cpp - Lanes of a warp, barriers, fences ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A warp is a wave of 32 lanes. The lanes that meet at an instruction are those
// that are active there: a *.sync of lanes that come from different places of
// the program is not gathered.
//===----------------------------------------------------------------------===//
#include "emulator/ptx/lower/forms.h"
#include "emulator/ptx/lower/host.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsAMDGPU.h"

using namespace llvm;

namespace gpuexec::ptx {

namespace {

Value *word(Emitter &e, uint32_t value) { return e.ir.getInt32(value); }

/// The destination and, of d|p, the predicate.
const Operand &destination(const Instruction &i) {
  const Operand &d = i.operands[0];
  return d.kind == Operand::Kind::pair ? d.parts[0] : d;
}

void write_predicate(Emitter &e, const Instruction &i, Value *value) {
  const Operand &d = i.operands[0];
  if (d.kind == Operand::Kind::pair)
    e.write(d.parts[1], value, Type::pred);
}

/// shfl: the register `a` of another lane. c has the width of the segment
/// (bits 8 to 12: a mask) and the last lane (bits 0 to 4).
void shuffle(Emitter &e, const Instruction &i) {
  Value *a = e.read(i.operands[1], Type::b32);
  Value *distance = e.ir.CreateAnd(e.read(i.operands[2], Type::b32), 31);
  Value *c = e.read(i.operands[3], Type::b32);
  Value *segment = e.ir.CreateAnd(e.ir.CreateLShr(c, 8), 31);
  Value *lane = lane_id(e);
  Value *first = e.ir.CreateAnd(lane, segment);
  Value *others = e.ir.CreateNot(segment);
  Value *bound = e.ir.CreateAnd(e.ir.CreateAnd(c, 31), others);
  Value *last = e.ir.CreateOr(first, bound);
  Value *source, *valid;
  if (i.has("up")) {
    source = e.ir.CreateSub(lane, distance);
    valid = e.ir.CreateICmpSGE(source, last);
  } else {
    if (i.has("down"))
      source = e.ir.CreateAdd(lane, distance);
    else if (i.has("bfly"))
      source = e.ir.CreateXor(lane, distance);
    else if (i.has("idx"))
      source = e.ir.CreateOr(first, e.ir.CreateAnd(distance, others));
    else
      return e.fail(i, "an unknown mode");
    valid = e.ir.CreateICmpSLE(source, last);
  }
  source = e.ir.CreateSelect(valid, source, lane);
  Value *result;
  if (is_host(e.module)) {
    if (!i.has("sync"))
      unfit(e, "shfl without .sync");
    result =
        host_meeting(e, "shuffle", e.ir.getInt32Ty(),
                     {a, source,
                      i.operands.size() > 4 ? e.read(i.operands[4], Type::b32)
                                            : e.ir.getInt32(~0u)});
  } else {
    result = e.intrinsic(Intrinsic::amdgcn_ds_bpermute, {},
                         {e.ir.CreateShl(source, 2), a});
  }
  write_predicate(e, i, valid);
  e.write(destination(i), result, Type::b32);
}

/// The lanes that take part: the mask's that are active. Forms without .sync
/// have no mask.
Value *members(Emitter &e, const Instruction &i, unsigned operand) {
  Value *active = ballot(e, e.ir.getTrue());
  if (!i.has("sync"))
    return active;
  return e.ir.CreateAnd(e.read(i.operands[operand], Type::b32), active);
}

void vote(Emitter &e, const Instruction &i) {
  Value *p = e.read(i.operands[1], Type::pred);
  Value *lanes = members(e, i, 2);
  Value *yes = e.ir.CreateAnd(ballot(e, p), lanes);
  if (i.has("ballot"))
    return e.write(i.operands[0], yes, Type::b32);
  Value *none = e.ir.CreateICmpEQ(yes, word(e, 0));
  Value *all = e.ir.CreateICmpEQ(yes, lanes);
  Value *result = i.has("all")   ? all
                  : i.has("any") ? e.ir.CreateNot(none)
                                 : e.ir.CreateOr(all, none);
  e.write(i.operands[0], result, Type::pred);
}

void match(Emitter &e, const Instruction &i) {
  Type bits = bits_of(i.type()) == 64 ? Type::b64 : Type::b32;
  Value *a = e.ir.CreateZExt(e.read(i.operands[1], bits), e.ir.getInt64Ty());
  Value *lanes = members(e, i, 2);
  Value *result = e.call(i.has("any") ? "__gpuexec_ptx_match_any"
                                      : "__gpuexec_ptx_match_all",
                         e.ir.getInt32Ty(), {a, lanes}, true);
  e.write(destination(i), result, Type::b32);
  write_predicate(e, i, e.ir.CreateICmpNE(result, word(e, 0)));
}

void reduce(Emitter &e, const Instruction &i) {
  Type type = i.type();
  static constexpr struct {
    const char *name, *of_signed, *of_unsigned;
  } OPERATIONS[] = {{"add", "add", "add"},  {"and", "and", "and"},
                    {"or", "or", "or"},     {"xor", "xor", "xor"},
                    {"min", "min", "umin"}, {"max", "max", "umax"}};
  for (const auto &row : OPERATIONS) {
    if (!i.has(row.name))
      continue;
    if (is_floating(type) || bits_of(type) != 32)
      return e.fail(i, "only integers of 32 bits are there");
    StringRef name = is_signed(type) ? row.of_signed : row.of_unsigned;
    Value *result =
        e.call(("__gpuexec_ptx_redux_" + name).str(), e.ir.getInt32Ty(),
               {e.read(i.operands[1], type), members(e, i, 2)}, true);
    return e.write(i.operands[0], result, type);
  }
  e.fail(i, "an unknown operation");
}

SyncScope::ID scope(Emitter &e, const char *name) {
  return e.ir.getContext().getOrInsertSyncScopeID(name);
}

void fence(Emitter &e, AtomicOrdering ordering, const char *scope_name) {
  e.ir.CreateFence(ordering, scope(e, scope_name));
}

/// membar.cta/gl/sys, fence.sc/acq_rel.SCOPE, fence.proxy...
void memory_fence(Emitter &e, const Instruction &i) {
  const char *where = i.has("cta")                     ? "workgroup"
                      : i.has("sys") || i.has("proxy") ? ""
                                                       : "agent";
  bool sequential = i.opcode == "membar" || i.has("sc");
  fence(e,
        i.has("acquire")   ? AtomicOrdering::Acquire
        : i.has("release") ? AtomicOrdering::Release
        : sequential       ? AtomicOrdering::SequentiallyConsistent
                           : AtomicOrdering::AcquireRelease,
        where);
}

void whole_block_barrier(Emitter &e) {
  fence(e, AtomicOrdering::Release, "workgroup");
  e.intrinsic(Intrinsic::amdgcn_s_barrier, {}, {});
  fence(e, AtomicOrdering::Acquire, "workgroup");
}

/// bar.red: the predicate of all threads of the block.
void barrier_reduction(Emitter &e, const Instruction &i) {
  // bar.red.popc.u32 d, a{, b}, {!}c; bar.red.and.pred p, a{, b}, {!}c;
  if (i.operands.size() < 3)
    return e.fail(i, "too few operands");
  if (i.operands.size() > 3)
    return e.fail(i, "only all threads of a block");
  Value *p = e.read(i.operands[2], Type::pred);
  bool all = i.has("and");
  Value *counted = e.call(
      "__gpuexec_ptx_barrier_count", e.ir.getInt32Ty(),
      {e.ir.CreateZExt(all ? e.ir.CreateNot(p) : p, e.ir.getInt32Ty())}, true);
  if (i.has("popc"))
    return e.write(i.operands[0], counted, Type::u32);
  Value *none = e.ir.CreateICmpEQ(counted, word(e, 0));
  e.write(i.operands[0], all ? none : e.ir.CreateNot(none), Type::pred);
}

/// Barriers of some of a block's threads count in shared memory, which the
/// kernel clears when it begins. False after fail().
bool prepare_barriers(Emitter &e, const Instruction &i) {
  constexpr StringRef START = "__gpuexec_ptx_barriers_begin";
  llvm::Function *function = e.ir.GetInsertBlock()->getParent();
  if (function->getCallingConv() != CallingConv::AMDGPU_KERNEL) {
    e.fail(i, "a barrier of some threads is there in kernels only");
    return false;
  }
  for (llvm::Instruction &one : function->getEntryBlock())
    if (auto *call = dyn_cast<CallInst>(&one))
      if (call->getCalledFunction() &&
          call->getCalledFunction()->getName() == START)
        return true;
  IRBuilder<>::InsertPointGuard guard(e.ir);
  BasicBlock &entry = function->getEntryBlock();
  e.ir.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  e.call(START, e.ir.getVoidTy(), {}, true);
  return true;
}

void barrier(Emitter &e, const Instruction &i) {
  if (i.has("warp")) { // lanes run in step; their memory must be seen
    fence(e, AtomicOrdering::AcquireRelease, "wavefront");
    e.intrinsic(Intrinsic::amdgcn_wave_barrier, {}, {});
    return;
  }
  if (i.has("cluster")) // a cluster is one block
    return i.has("arrive") ? void() : whole_block_barrier(e);
  if (i.has("red"))
    return barrier_reduction(e, i);
  bool arrives = i.has("arrive");
  if (i.operands.size() < (arrives ? 2u : 1u))
    return e.fail(i, "too few operands");
  // All threads of a block meet in one order, so that the number is of no use.
  if (i.operands.size() == 1)
    return whole_block_barrier(e);
  if (!prepare_barriers(e, i))
    return;
  e.call(arrives ? "__gpuexec_ptx_barrier_arrive"
                 : "__gpuexec_ptx_barrier_sync",
         e.ir.getVoidTy(),
         {e.read(i.operands[0], Type::u32), e.read(i.operands[1], Type::u32)},
         true);
}

void active_mask(Emitter &e, const Instruction &i) {
  e.write(i.operands[0], ballot(e, e.ir.getTrue()), Type::b32);
}

/// elect.sync d|p, mask: the first member alone has the predicate.
void elect(Emitter &e, const Instruction &i) {
  Value *active = ballot(e, e.ir.getTrue());
  Value *lanes = e.ir.CreateAnd(e.read(i.operands[1], Type::b32), active);
  Value *leader = e.intrinsic(Intrinsic::cttz, {lanes->getType()},
                              {lanes, e.ir.getFalse()});
  e.write(destination(i), leader, Type::b32);
  write_predicate(e, i, e.ir.CreateICmpEQ(leader, lane_id(e)));
}

/// What waits for another kernel, or sets the registers of a warp aside.
void nothing(Emitter &, const Instruction &) {}

const struct {
  const char *opcode;
  size_t operands; ///< the fewest
  void (*emit)(Emitter &, const Instruction &);
} FAMILY[] = {{"shfl", 4, shuffle},
              {"vote", 2, vote},
              {"match", 3, match},
              {"redux", 3, reduce},
              {"activemask", 1, active_mask},
              {"elect", 2, elect},
              {"bar", 0, barrier},
              {"barrier", 0, barrier},
              {"membar", 0, memory_fence},
              {"fence", 0, memory_fence},
              {"griddepcontrol", 0, nothing},
              {"setmaxnreg", 0, nothing}};

} // namespace

bool lower_warp(Emitter &e, const Instruction &i) {
  if (is_host(e.module) && lower_host_warp(e, i))
    return true;
  for (const auto &row : FAMILY) {
    if (i.opcode != row.opcode)
      continue;
    if (i.operands.size() < row.operands)
      e.fail(i, "too few operands");
    else
      row.emit(e, i);
    return true;
  }
  return false;
}

} // namespace gpuexec::ptx
