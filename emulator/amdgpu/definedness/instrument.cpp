//===-- emulator/amdgpu/definedness/instrument.cpp - Adding the check -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/definedness/instrument.h"

#include "emulator/amdgpu/decode/unseen_accesses.h"
#include "emulator/amdgpu/definedness/check.h"

#include <algorithm>

namespace gpuexec::emulator::amdgpu::definedness {

using Run = bool (*)(Context &);

/// The handler of the micro-op `check`, for every shape of EXEC.
static void check(State &s, const Inst *i) {
  {
    const UnseenAccesses unseen; // accesses to the shadow of memory
    const Plan &plan = *static_cast<const Plan *>(i->data);
    Context c{s, *s.shadow, i, i[1], plan};
    if (!plan.run(c))
      return;
  }
  const Inst *next = i + 1;
  [[clang::musttail]] return next->fn[s.shape](s, next);
}

/// Checks an instruction whose vector register numbers are higher by M0: makes
/// the same copy of it as the handler `indexed` (interpret/control.h).
bool indexed(Context &c) {
  if (c.shadow.scalar(scalar_operand(M0), 4) & 0xff)
    return c.report("the number of a register depends on it", 0,
                    c.shadow.scalar_origin(scalar_operand(M0)));
  if ((c.s.s[M0] & 0xff) > u32(c.inst.scond))
    return true; // the instruction will fault
  Inst moved = (&c.inst)[1];
  Operand by = Operand((c.s.s[M0] & 0xff) * LANES * 4);
  auto move = [&](Operand &o, bool yes) {
    if (yes && o != LITERAL && (o & ROW))
      o = vector_operand(
          std::min(unsigned(((o & ~ROW) + by - Operand(offsetof(State, v))) /
                            (LANES * 4)),
                   VECTORS - 1));
  };
  for (unsigned k = 0; k < 3; ++k)
    move(moved.src[k], c.inst.imm >> k & 1);
  move(moved.dst, c.inst.imm >> 3 & 1);
  Context inner{c.s, c.shadow, c.at, moved, c.plan};
  return c.plan.plain(inner);
}

// The check of each micro-op; null: it needs none.

// NOLINTNEXTLINE(readability-identifier-naming): the name stands in special.def
static constexpr Run no_result = nullptr;

/// The rules of ops/special.def.
static Run special_run(OperationId id) {
  switch (id) {
#define SPECIAL(name, class, handler, uses, stencil, jit, shadow)              \
  case OperationId::name:                                                      \
    return shadow;
#define JUMP(name, terminator, handler, uses, stencil, shadow)                 \
  case OperationId::name:                                                      \
    return shadow;
#define BRANCH_IF(name, condition, shadow)                                     \
  case OperationId::name:                                                      \
    return shadow;
#define PACKED_PAIRS(name, handler, shadow)                                    \
  case OperationId::name:                                                      \
    return shadow;
#include "emulator/amdgpu/ops/special.def"
  default:
    return nullptr;
  }
}

static Run operation_run(const Operation &op) {
  switch (op.form) {
  case Form::valu:
  case Form::vcmp:
    return vector;
  case Form::packed:
    return packed;
  case Form::packed32:
    return special_run(op.id) ? special_run(op.id) : packed_pairs;
  case Form::mix:
    return mixed;
  case Form::salu:
    return scalar;
  case Form::saveexec:
    return saved_exec;
  case Form::memory:
    return op.id == OperationId::ds_bpermute_b32  ? backward_permuted
           : op.id == OperationId::ds_permute_b32 ? permuted
                                                  : memory;
  case Form::scalar_load:
    return scalar_memory;
  case Form::special:
    return special_run(op.id);
  case Form::none:
  case Form::nothing:
  case Form::fence:
    break;
  }
  return nullptr;
}

static Run run_of(const Inst &inst) {
  switch (inst.kind) {
  case MicroOpKind::operation:
    return operation_run(operation(inst));
  case MicroOpKind::sdwa:
    return part_read;
  case MicroOpKind::sdwa_merge:
    return part_written;
  case MicroOpKind::dpp:
    return lanes_moved;
  case MicroOpKind::masked_copy:
    return masked_copy;
  case MicroOpKind::modify:
    return sign_modified;
  case MicroOpKind::upper_half:
    return upper_half;
  case MicroOpKind::insert_half:
    return half_inserted;
  case MicroOpKind::finish:
    return finished;
  case MicroOpKind::copy_scalar:
    return scalar_copied;
  case MicroOpKind::set_exec:
    return exec_set;
  default:
    return nullptr;
  }
}

static Ranges ranges_of(OperationId id) {
  switch (id) {
  case OperationId::v_mov_b32:
  case OperationId::v_accvgpr_read_b32:
  case OperationId::v_accvgpr_write_b32:
  case OperationId::v_accvgpr_mov_b32:
    return Ranges::copy;
  case OperationId::v_ffbl_b32:
    return Ranges::count;
  case OperationId::v_add_u32:
    return Ranges::sum;
  default:
    return Ranges::none;
  }
}

/// The plan for a micro-op; `run` is null if it needs no check.
static Plan plan_of(const Inst &inst) {
  Plan plan;
  plan.run = run_of(inst);
  if (inst.kind != MicroOpKind::operation)
    return plan;
  plan.operation = &operation(inst);
  plan.lane = lane_rule(inst.operation);
  plan.scalar = scalar_rule(inst.operation);
  plan.ranges = ranges_of(inst.operation);
  plan.saturates = inst.variant == Variant::saturating;
  return plan;
}

void Instrumentation::add(std::vector<MicroOp> &ops, size_t begin) {
  std::vector<MicroOp> all;
  for (size_t k = begin; k < ops.size(); ++k) {
    const MicroOp &op = ops[k];
    bool moved = op.kind == MicroOpKind::indexed && k + 1 < ops.size();
    Plan plan = plan_of(moved ? ops[k + 1] : op);
    if (plan.run) {
      if (moved) {
        plan.plain = plan.run;
        plan.run = indexed;
      }
      plans.push_back(plan);
      MicroOp &before = all.emplace_back();
      std::fill_n(before.fn, unsigned(SHAPES), check);
      before.kind = MicroOpKind::check;
      before.operation = op.operation;
      before.pc = op.pc;
      before.data = &plans.back();
    }
    all.push_back(op);
    if (moved)
      all.push_back(ops[++k]);
  }
  ops.resize(begin);
  ops.insert(ops.end(), all.begin(), all.end());
}

} // namespace gpuexec::emulator::amdgpu::definedness
