//===-- emulator/amdgpu/baseline/control.h - Stencils of branches and others ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included by stencils.cpp and wave_stencils.cpp, after holes.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::baseline {
namespace {

// Control. A branch reads its target's handler when it is taken: better code
// may have come.

#define GO_TO_TARGET()                                                         \
  do {                                                                         \
    s.budget -= NUMBER(length);                                                \
    if (__builtin_expect(s.budget <= 0, false))                                \
      JUMP_TO(cold);                                                           \
    const Inst *to_ = hole_target;                                             \
    [[clang::musttail]] return (*hole_target_handler)(s, to_);                 \
  } while (0)
#define GO_INDIRECTLY(to)                                                      \
  do {                                                                         \
    s.budget -= NUMBER(length);                                                \
    if (__builtin_expect(s.budget <= 0, false)) {                              \
      s.resume = (to);                                                         \
      s.stop = Stop::budget;                                                   \
      return;                                                                  \
    }                                                                          \
    [[clang::musttail]] return (to)->fn[s.shape](s, (to));                     \
  } while (0)
void stop(State &s, const Inst *) {
  s.resume = hole_target;
  s.stop = Stop::budget;
}
void branch(State &s, const Inst *) { GO_TO_TARGET(); }
/// The interpreter finds the target when the branch is first taken.
void late_branch(State &s, const Inst *) {
  const Inst *to = hole_inst->target.load(std::memory_order_acquire);
  if (__builtin_expect(!to, false))
    JUMP_TO(leave);
  GO_INDIRECTLY(to);
}
template <Condition C> void conditional(State &s, const Inst *) {
  bool yes = C == Condition::scc0        ? !s.scc
             : C == Condition::scc1      ? s.scc
             : C == Condition::vccz      ? s.mask(VCC) == 0
             : C == Condition::vccnz     ? s.mask(VCC) != 0
             : C == Condition::vccz_low  ? s.s[VCC] == 0
             : C == Condition::vccnz_low ? s.s[VCC] != 0
             : C == Condition::execz     ? s.shape == NONE
                                         : s.shape != NONE;
  if (yes)
    JUMP_TO(taken);
  JUMP_TO(next);
}
void call(State &s, const Inst *) {
  u64 back = hole_imm;
  *FIELD(u64, dst) = back;
  note_call(s, back);
  GO_TO_TARGET();
}
void getpc(State &s, const Inst *) {
  *FIELD(u64, dst) = hole_imm;
  JUMP_TO(next);
}
void setpc(State &s, const Inst *) {
  u64 pc = *FIELD(const u64, src0);
  const Inst *to = s.visited_block(pc);
  if (__builtin_expect(!to, false))
    JUMP_TO(cold);
  note_return(s, pc);
  GO_INDIRECTLY(to);
}
void swappc(State &s, const Inst *) {
  const Inst *to = s.visited_block(*FIELD(const u64, src0));
  if (__builtin_expect(!to, false))
    JUMP_TO(cold);
  u64 back = hole_imm;
  *FIELD(u64, dst) = back;
  note_call(s, back);
  GO_INDIRECTLY(to);
}
/// Decodes the target of a jump that control has not reached before.
void decode_target(State &s, const Inst *) {
  if (baseline_find(s, hole_inst, *FIELD(const u64, src0)))
    JUMP_TO(again);
}

// Between lanes and scalars.

void read_first_lane(State &s, const Inst *) {
  *FIELD(u32, dst) = *FIELD(const u32, src0);
  JUMP_TO(next);
}
template <Source S> void read_lane(State &s, const Inst *) {
  *FIELD(u32, dst) = FIELD(const u32, src0)[*source<S, 1>(s) & s.last_lane];
  JUMP_TO(next);
}
template <Source S0, Source S1> void write_lane(State &s, const Inst *) {
  FIELD(u32, dst)[*source<S1, 1>(s) & s.last_lane] = *source<S0, 0>(s);
  JUMP_TO(next);
}

// Micro-ops.

template <unsigned Which> void copy_scalar(State &s, const Inst *) {
  u64 value = Which == 0   ? s.mask(VCC) == 0
              : Which == 1 ? s.exec() == 0
              : Which == 2 ? s.scc
                           : s.s[VCC] == 0;
  *FIELD(u64, dst) = value;
  JUMP_TO(next);
}
/// The selected bits of the source, for the operation that follows.
template <Source S> void sdwa(State &s, const Inst *) {
  *FIELD(u32, dst) = Sdwa::unpack(hole_imm).read(*source<S, 0>(s));
  JUMP_TO(next);
}
template <Source S> void upper_half(State &s, const Inst *) {
  *FIELD(u32, dst) = *source<S, 0>(s) >> 16;
  JUMP_TO(next);
}
template <bool High> void insert_half(State &s, const Inst *) {
  u32 &d = *FIELD(u32, dst);
  d = HalfInsertion{High}.written(d, *FIELD(const u32, src0));
  JUMP_TO(next);
}
void fence(State &s, const Inst *) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  JUMP_TO(next);
}
void skip(State &s, const Inst *) { JUMP_TO(next); }
void preempt(State &s, const Inst *) {
  if (__builtin_expect(s.budget < i64(NUMBER(length)), false))
    JUMP_TO(leave);
  JUMP_TO(next);
}

// Statistics.

INLINE Executions &executions_of_block(State &s) {
  return *reinterpret_cast<Executions *>(
      reinterpret_cast<char *>(s.executions) +
      reinterpret_cast<uintptr_t>(&hole_executions));
}
template <bool On, bool KeepsExec> void count(State &s, const Inst *) {
  ++(On ? executions_of_block(s).alone : executions_of_block(s).others);
  if (KeepsExec)
    s.exec_before = On;
  JUMP_TO(next);
}
/// The interpreter may have turned off all lanes but this one and gone on here.
void count_divergence(State &s, const Inst *) {
  const u64 before = s.exec_before;
  s.counters->divergences += before != 1 && (before & 1);
  JUMP_TO(next);
}
template <bool Flat, bool Row, bool Base>
void count_access(State &s, const Inst *) {
  const u64 address = address_of<Space::global, Row, Base>(s);
  if (Flat)
    executions_of_block(s).alone += address >> AddressSpace::ADDRESS_BITS == 0;
  if (__builtin_expect((address & 63) > NUMBER(room), false))
    JUMP_TO(cold);
  JUMP_TO(next);
}
template <bool Row, bool Base> void count_second_line(State &s, const Inst *) {
  const u64 address = address_of<Space::global, Row, Base>(s);
  s.counters->cache_lines += address >> AddressSpace::ADDRESS_BITS == 0;
  JUMP_TO(next);
}
template <bool Flat, bool Row, bool Base>
constexpr amdgpu::baseline::Row count_access_row() {
  return {Key{0, u8(MicroOpKind::count_access), 0, {Row, Base, Flat}, 0, 0},
          count_access<Flat, Row, Base>, count_second_line<Row, Base>};
}
constexpr Row count_divergence_row() {
  return {Key{0, u8(MicroOpKind::count_divergence), 0, {true, 0, 0}, 0, 0},
          count_divergence, nullptr};
}
template <bool On, bool KeepsExec> constexpr Row count_row() {
  return {Key{0, u8(MicroOpKind::count), 0, {On, KeepsExec, 0}, 0, 0},
          count<On, KeepsExec>, nullptr};
}

// Around the code of a block.

/// False when a region was removed since the inline caches were filled.
INLINE bool has_caches_of_epoch(State &s) {
  return s.inline_caches_epoch == __atomic_load_n(hole_epoch, __ATOMIC_RELAXED);
}
void entry(State &s, const Inst *) {
  if (__builtin_expect(s.lane4 != 0 || !s.default_mode || s.word_stride != 4,
                       false))
    JUMP_TO(leave);
  if (__builtin_expect(!has_caches_of_epoch(s), false))
    JUMP_TO(cold);
  JUMP_TO(next);
}
void forget(State &s, const Inst *) {
  baseline_forget(s);
  JUMP_TO(next);
}
/// Not atomic: of waves that come by at once some are not counted.
void passed(State &s, const Inst *) {
  ++*hole_passes;
  JUMP_TO(next);
}
/// All lanes are turned on; what follows needs none of them to be.
template <typename Mask> void save_exec_alone(State &s, const Inst *) {
  *FIELD(Mask, dst) = Mask(hole_imm); // EXEC
  s.scc = true;
  JUMP_TO(next);
}
void zero_mask(State &s, const Inst *) {
  *FIELD(u64, sdst) = 0;
  JUMP_TO(next);
}
void dispatch(State &s, const Inst *) {
  const Inst *to = hole_inst;
  [[clang::musttail]] return to->fn[s.shape](s, to);
}
void leave(State &s, const Inst *) {
  const Inst *to = hole_inst;
  [[clang::musttail]] return hole_handler(s, to);
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::baseline
