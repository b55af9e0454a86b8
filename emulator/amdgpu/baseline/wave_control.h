//===-- emulator/amdgpu/baseline/wave_control.h - EXEC and branches ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code of a wave has two streams: for all lanes, and for whatever EXEC says.
// What writes EXEC goes from one to the other; what lanes do is in routines.
// Included once, by stencils.cpp, after control.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::baseline {
namespace {

// EXEC.

/// State::exec_changed() for an EXEC that is not FULL. It has no branches: the
/// processor could not predict which shape comes next.
INLINE void exec_changed_to_some(State &s, u64 exec) {
  const bool none = exec == 0, most_one = (exec & (exec - 1)) == 0;
  const u32 lane4 = u32(__builtin_ia32_tzcnt_u64(exec)) * 4;
  static_assert(ONE == SOME - 1 && NONE == SOME + 1);
  s.shape = SOME - most_one + 2 * none;
  s.lane4 = most_one && !none ? lane4 : s.lane4;
}
#define AFTER_WAVE_EXEC()                                                      \
  do {                                                                         \
    const u64 exec_ = s.exec();                                                \
    s.mask_valid = false;                                                      \
    if (exec_ == ~u64(0)) {                                                    \
      s.shape = FULL;                                                          \
      JUMP_TO(now_on);                                                         \
    }                                                                          \
    exec_changed_to_some(s, exec_);                                            \
    JUMP_TO(now_off);                                                          \
  } while (0)
/// The destination is EXEC or a half of it.
template <auto F, Source S0, Source S1> void wave_exec(State &s, const Inst *) {
  Scalar<F>::template With<S0, S1, Source::scalar>::compute(s);
  AFTER_WAVE_EXEC();
}
template <auto F, Source S0, Source S1>
constexpr Row wave_exec_row(OperationId id) {
  Row row = scalar_row<F, S0, S1>(id);
  row.key.variant = u8(Variant::writes_exec);
  row.key.lanes = u8(Lanes::any);
  if constexpr (Scalar<F>::N > 0)
    if (row.code)
      row.code = wave_exec<F, S0, S1>;
  return row;
}
template <auto F, Source S0, Source S1>
constexpr Row wave_pair_exec_row(OperationId id) {
  if constexpr (Scalar<F>::writes_pair)
    return wave_exec_row<F, S0, S1>(id);
  return {Key{}, nullptr, nullptr};
}
template <auto F, bool Save, Source S>
void wave_exec_logic(State &s, const Inst *) {
  combine_exec<F, Save, S>(s);
  AFTER_WAVE_EXEC();
}
template <auto F, bool Save, Source S>
constexpr Row wave_saveexec_row(OperationId id) {
  return {Key{u16(id),
              u8(MicroOpKind::operation),
              u8(Variant::plain),
              {u8(S), u8(Source::scalar), u8(Source::scalar)},
              0,
              0,
              u8(Lanes::any)},
          wave_exec_logic<F, Save, S>, nullptr};
}
void wave_set_exec(State &s, const Inst *) {
  s.mask(EXEC) = *FIELD(const u64, src0);
  AFTER_WAVE_EXEC();
}

// Control.

/// A branch to a target whose code for waves is known: `now_on`. A wave of
/// which one lane is active goes to its handler all the same: LLVM has better
/// code for one lane.
void wave_go(State &s, const Inst *) {
  s.budget -= NUMBER(length);
  if (__builtin_expect(s.budget <= 0, false))
    JUMP_TO(cold);
  if (__builtin_expect(s.shape == ONE || !has_caches_of_epoch(s), false)) {
    const Inst *to = hole_target;
    [[clang::musttail]] return to->fn[s.shape](s, to);
  }
  JUMP_TO(now_on);
}

void wave_first_lane(State &s, const Inst *) {
  const u64 exec = s.exec();
  *FIELD(u32, dst) =
      FIELD(const u32, src0)[exec ? unsigned(__builtin_ctzll(exec)) : 0];
  JUMP_TO(next);
}

// Statistics.

template <bool KeepsExec> void wave_count(State &s, const Inst *) {
  const u64 exec = s.exec();
  Executions &executions = executions_of_block(s);
  if (s.shape == ONE)
    ++executions.alone;
  else {
    ++executions.others;
    executions.lanes += unsigned(__builtin_popcountll(exec));
  }
  if (KeepsExec)
    s.exec_before = exec;
  JUMP_TO(next);
}
template <bool KeepsExec> constexpr Row wave_count_row() {
  return {Key{0,
              u8(MicroOpKind::count),
              0,
              {false, KeepsExec, 0},
              0,
              0,
              u8(Lanes::any)},
          wave_count<KeepsExec>, nullptr};
}
void wave_divergence(State &s, const Inst *) {
  const u64 now = s.exec(), before = s.exec_before;
  s.counters->divergences += now && now != before && (now & before) == now;
  JUMP_TO(next);
}

// Routines.

INLINE uintptr_t call_routine(State &s) {
  return reinterpret_cast<Routine>(hole_handler)(
      s, hole_inst, FIELD(u32, dst), FIELD(const u32, src0),
      FIELD(const u32, src1), FIELD(const u32, src2));
}
/// The state's address comes back with the result: nothing needs to be saved.
void call_plain(State &before, const Inst *) {
  State &s = *reinterpret_cast<State *>(call_routine(before));
  JUMP_TO(next);
}
void call_memory(State &before, const Inst *) {
  const uintptr_t after = call_routine(before);
  State &s = *reinterpret_cast<State *>(after & ~uintptr_t(1));
  if (__builtin_expect(after & 1, false))
    JUMP_TO(leave);
  JUMP_TO(next);
}

// Around the code of a block.

void wave_entry(State &s, const Inst *) {
  if (__builtin_expect(!s.default_mode || s.word_stride == 4, false))
    JUMP_TO(leave);
  if (__builtin_expect(!has_caches_of_epoch(s), false))
    JUMP_TO(cold);
  JUMP_TO(next);
}
void put_literal(State &s, const Inst *) {
  s.slots[SLOT_LITERAL] = *const_cast<const volatile u64 *>(&hole_imm);
  JUMP_TO(next);
}
/// Ways to the interpreter's handlers follow: `now_on` is the one for Shape
/// ONE, `now_off` that for NONE.
void wave_shape(State &s, const Inst *) {
  if (s.shape == ONE)
    JUMP_TO(now_on);
  if (s.shape == NONE)
    JUMP_TO(now_off);
  JUMP_TO(next);
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::baseline
