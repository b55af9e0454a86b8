//===-- emulator/amdgpu/definedness/instrument.cpp - Adding the check -----===//
#include "emulator/amdgpu/definedness/instrument.h"

#include "emulator/amdgpu/definedness/step.h"

#include "llvm/ADT/StringSwitch.h"

namespace gpuexec::emulator::amdgpu::definedness {

using Run = bool (*)(Context &);

/// The step itself, whatever EXEC looks like.
static void check(State &s, const Inst *i) {
  const Plan &plan = *static_cast<const Plan *>(i->data);
  Context c{s, *s.shadow, i, i[1], plan};
  if (!plan.run(c))
    return;
  const Inst *next = i + 1;
  [[clang::musttail]] return next->fn[s.shape](s, next);
}

/// An instruction whose vector registers are moved by M0, as the handler of
/// the same name makes it.
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

// Memory.

static u8 bytes_of(llvm::StringRef name) {
  if (name.contains("x4") || name.contains("b128"))
    return 16;
  if (name.contains("x3") || name.contains("b96"))
    return 12;
  if (name.ends_with("x2") || name.contains("64"))
    return 8;
  if (name.contains("byte") || name.contains("u8") || name.contains("i8") ||
      name.contains("_b8"))
    return 1;
  if (name.contains("short") || name.contains("u16") || name.contains("i16") ||
      name.contains("_b16"))
    return 2;
  return 4;
}

static MemoryShape memory_shape(llvm::StringRef name) {
  MemoryShape m;
  m.segment = llvm::StringSwitch<Segment>(
                  name.take_until([](char c) { return c == '_'; }))
                  .Case("flat", Segment::flat)
                  .Case("scratch", Segment::scratch)
                  .Case("buffer", Segment::buffer)
                  .Case("ds", Segment::lds)
                  .Default(Segment::global);
  bool ds = m.segment == Segment::lds;
  if (name.contains("_load_") || name.starts_with("ds_read"))
    m.access = name.starts_with("ds_read2") ? Access::two_loads : Access::load;
  else if (name.contains("_store_") || name.starts_with("ds_write"))
    m.access =
        name.starts_with("ds_write2") ? Access::two_stores : Access::store;
  else
    m.access = Access::atomic;
  if (m.access == Access::atomic) {
    m.bytes = name.ends_with("_x2") || name.ends_with("64") ? 8 : 4;
    m.compares = name.contains("cmp");
    m.update =
        name.contains("swap") || name.contains("wrxchg")  ? Update::replace
        : name.contains("_and")                           ? Update::logic_and
        : name.contains("xor")                            ? Update::logic_xor
        : name.contains("_or") && !name.contains("mskor") ? Update::logic_or
        : (name.contains("_add") || name.contains("_sub")) &&
                !name.contains("_f") && !name.contains("bf16")
            ? Update::add
            : Update::whole;
    return m;
  }
  llvm::StringRef kind = name;
  if (ds && kind.contains("st64"))
    m.bytes = kind.ends_with("b64") ? 8 : 4;
  else
    m.bytes = bytes_of(kind);
  m.half = !name.contains("d16") ? 0 : name.ends_with("_hi") ? 2 : 1;
  m.is_signed = name.contains("sbyte") || name.contains("sshort") ||
                name.contains("_i8") || name.contains("_i16");
  return m;
}

static Run special_run(llvm::StringRef name) {
  if (name.starts_with("s_load_") || name.starts_with("s_buffer_load_"))
    return scalar_memory;
  if (name.starts_with("s_set_gpr_idx_"))
    return name == "s_set_gpr_idx_on" || name == "s_set_gpr_idx_idx" ? index_set
                                                                     : nullptr;
  return llvm::StringSwitch<Run>(name)
      .Cases({"s_memtime", "s_memrealtime", "s_getpc_b64", "s_call_b64"},
             defined_scalar)
      .Case("s_getreg_b32", defined_word)
      .Cases({"s_setreg_b32", "s_setreg_imm32_b32"}, mode_set)
      .Case("v_readfirstlane_b32", first_lane_read)
      .Case("v_readlane_b32", lane_read)
      .Case("v_writelane_b32", lane_written)
      .Case("v_swap_b32", rows_swapped)
      .Cases({"s_cbranch_scc0", "s_cbranch_scc1"}, branch_on_scc)
      .Cases({"s_cbranch_vccz", "s_cbranch_vccnz"}, branch_on_vcc)
      .Case("s_setpc_b64", jump)
      .Case("s_swappc_b64", call)
      .Cases({"ds_append", "ds_consume"}, appended)
      .Case("ds_swizzle_b32", swizzled)
      .Default(nullptr);
}

static Run memory_run(llvm::StringRef name) {
  return llvm::StringSwitch<Run>(name)
      .Case("ds_bpermute_b32", backward_permuted)
      .Case("ds_permute_b32", permuted)
      .Default(memory);
}

static Run operation_run(const Operation &op, llvm::StringRef name) {
  switch (op.form) {
  case Form::valu:
  case Form::vcmp:
    return vector;
  case Form::packed:
    return packed;
  case Form::packed32:
    return name == "v_pk_mov_b32" ? packed_move : packed_pairs;
  case Form::mix:
    return mixed;
  case Form::salu:
    return scalar;
  case Form::saveexec:
    return saved_exec;
  case Form::memory:
    return memory_run(name);
  default:
    return special_run(name);
  }
}

bool Instrumentation::plan(const Inst &step, const OpcodeInfo &info,
                           Plan &made) {
  const Steps &h = best_level().steps;
  Handler handler = step.fn[SOME];
  const std::pair<Handler, Run> parts[] = {
      {h.sdwa, part_read},
      {h.sdwa_merge, part_written},
      {h.dpp, lanes_moved},
      {h.masked_copy, masked_copy},
      {h.modify, sign_modified},
      {h.upper_half, upper_half},
      {h.insert_half, half_inserted},
      {h.finish, finished},
      {h.copy_scalar, scalar_copied},
      {h.set_exec, exec_set},
  };
  for (auto [of, run] : parts)
    if (handler == of) {
      made.run = run;
      return true;
    }
  for (Handler nothing : {h.count, h.count_divergence, h.note, h.skip, h.fence,
                          h.link, h.unsupported, h.illegal, h.leave_code})
    if (handler == nothing)
      return false;
  const Operation &op = *info.operation;
  llvm::StringRef name = op.name;
  made.operation = &op;
  made.run = operation_run(op, name);
  if (!made.run)
    return false;
  if (op.form == Form::salu || op.form == Form::saveexec) {
    const ScalarEntry *entry = scalar_entry(name);
    if (!entry)
      return false;
    made.shape = entry->shape;
    made.scalar = entry->rule;
  } else if (made.run == scalar_memory) {
    made.high = name.starts_with("s_buffer");
    unsigned words = 1;
    llvm::StringRef count = name;
    if (count.consume_front("s_load_dword") ||
        count.consume_front("s_buffer_load_dword"))
      if (count.consume_front("x"))
        count.getAsInteger(10, words);
    made.memory.bytes = u8(4 * words);
  } else if (made.run == memory) {
    made.memory = memory_shape(name);
  } else {
    made.lane = lane_rule(name);
    made.ranges = llvm::StringSwitch<Ranges>(name)
                      .Cases({"v_mov_b32", "v_accvgpr_read_b32",
                              "v_accvgpr_write_b32", "v_accvgpr_mov_b32"},
                             Ranges::copy)
                      .Case("v_ffbl_b32", Ranges::count)
                      .Case("v_add_u32", Ranges::sum)
                      .Default(Ranges::none);
    made.saturates =
        op.saturating[FULL] && step.fn[FULL] == op.saturating[FULL];
  }
  return true;
}

void Instrumentation::add(std::vector<Step> &steps, size_t begin,
                          const OpcodeInfo &info) {
  if (!info.operation)
    return;
  const Steps &handlers = best_level().steps;
  std::vector<Step> all;
  for (size_t k = begin; k < steps.size(); ++k) {
    const Step &step = steps[k];
    bool moved = step.fn[SOME] == handlers.indexed && k + 1 < steps.size();
    Plan made;
    if (plan(moved ? steps[k + 1] : step, info, made)) {
      if (moved) {
        made.plain = made.run;
        made.run = indexed;
      }
      plans.push_back(made);
      Step &before = all.emplace_back();
      for (Handler &fn : before.fn)
        fn = check;
      before.pc = step.pc;
      before.opcode = step.opcode;
      before.data = &plans.back();
    }
    all.push_back(step);
    if (moved)
      all.push_back(steps[++k]);
  }
  steps.resize(begin);
  steps.insert(steps.end(), all.begin(), all.end());
}

} // namespace gpuexec::emulator::amdgpu::definedness
