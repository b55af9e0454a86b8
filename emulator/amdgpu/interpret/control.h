//===-- emulator/amdgpu/interpret/control.h - Control and scalar memory ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and calls, s_load, hardware registers, statistics and markers.
// Included once per unit inside the level's namespace, after lanes.h.
// Only taken branches check the budget: code without branches ends by itself.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

#define STOP(s, i, why)                                                        \
  do {                                                                         \
    (s).resume = (i);                                                          \
    (s).stop = Stop::why;                                                      \
    return;                                                                    \
  } while (0)

#define GO(s, i, where)                                                        \
  do {                                                                         \
    const Inst *to_ = (where);                                                 \
    (s).budget -= (i)->length;                                                 \
    if (__builtin_expect((s).budget <= 0, false))                              \
      STOP(s, to_, budget);                                                    \
    [[clang::musttail]] return to_->fn[(s).shape](s, to_);                     \
  } while (0)

static void take_first_time(State &s, const Inst *i) {
  const Inst *to = find_code(s, i, s.code_base + i->imm);
  if (!to)
    return;
  i->target.store(to, std::memory_order_release);
  GO(s, i, to);
}
/// A branch whose target the instruction encodes.
static void branch(State &s, const Inst *i) {
  const Inst *to = i->target.load(std::memory_order_acquire);
  if (__builtin_expect(!to, false)) [[clang::musttail]]
    return take_first_time(s, i);
  GO(s, i, to);
}
/// Goes on at an instruction that belongs to another decoded block.
static void link(State &s, const Inst *i) {
  [[clang::musttail]] return branch(s, i);
}

template <Condition C> static void conditional(State &s, const Inst *i) {
  bool taken;
  if constexpr (C == Condition::scc0)
    taken = !s.scc;
  else if constexpr (C == Condition::scc1)
    taken = s.scc;
  else if constexpr (C == Condition::vccz)
    taken = s.mask(VCC) == 0;
  else if constexpr (C == Condition::vccnz)
    taken = s.mask(VCC) != 0;
  else if constexpr (C == Condition::vccz_low)
    taken = s.s[VCC] == 0;
  else if constexpr (C == Condition::vccnz_low)
    taken = s.s[VCC] != 0;
  else if constexpr (C == Condition::execz)
    taken = s.shape == NONE;
  else
    taken = s.shape != NONE;
  if (taken) [[clang::musttail]]
    return branch(s, i);
  NEXT(s, i);
}

static void getpc(State &s, const Inst *i) {
  mask_at(s, i->dst) = s.code_base + i->pc + 4;
  NEXT(s, i);
}
INLINE const Inst *block_at(State &s, const Inst *i, u64 pc) {
  const Inst *to = s.visited_block(pc);
  return __builtin_expect(to != nullptr, true) ? to : find_code(s, i, pc);
}
static void setpc(State &s, const Inst *i) {
  u64 pc = scalar64(s, i, i->src[0]);
  const Inst *to = block_at(s, i, pc);
  if (!to)
    return;
  note_return(s, pc);
  GO(s, i, to);
}
static void swappc(State &s, const Inst *i) {
  const Inst *to = block_at(s, i, scalar64(s, i, i->src[0]));
  if (!to)
    return;
  u64 back = s.code_base + i->pc + 4;
  mask_at(s, i->dst) = back;
  note_call(s, back);
  GO(s, i, to);
}
static void call(State &s, const Inst *i) {
  u64 back = s.code_base + i->pc + 4;
  mask_at(s, i->dst) = back;
  note_call(s, back);
  [[clang::musttail]] return branch(s, i);
}
static void end_program(State &s, const Inst *i) { STOP(s, i, ended); }
static void barrier(State &s, const Inst *i) {
  if (s.block->waves == 1)
    NEXT(s, i);
  STOP(s, i + 1, barrier);
}
static void sleep(State &s, const Inst *i) { STOP(s, i + 1, sleep); }
/// Before an access to memory in lockstep: ends the slice if its budget is used
/// up by the instructions of this block before the access. (State::budget
/// counts the instructions of a block when the block is left.)
static void preempt(State &s, const Inst *i) {
  if (__builtin_expect(s.budget >= i64(i->length), true))
    NEXT(s, i);
  s.done_of_block = i->length - 1;
  STOP(s, i + 1, budget);
}
static void fence(State &s, const Inst *i) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  NEXT(s, i);
}
static void ttrace(State &s, const Inst *i) {
  trace_data(s, s.s[M0]);
  NEXT(s, i);
}
static void trap(State &s, const Inst *i) {
  if (i->imm == 3) // llvm.debugtrap: there is no debugger
    NEXT(s, i);
  trap_fault(s, i);
}
/// Ends the kernel with a fault. `data`: what the emulator lacks, a C string.
static void unsupported(State &s, const Inst *i) {
  raise(s, i, Fault::Kind::unsupported_instruction,
        static_cast<const char *>(i->data));
}
/// Ends the kernel with a fault. `data`: the reason, a C string or null.
static void illegal(State &s, const Inst *i) {
  raise(s, i, Fault::Kind::illegal_instruction,
        i->data ? static_cast<const char *>(i->data) : "");
}
static void leave_code(State &s, const Inst *i) {
  raise(s, i, Fault::Kind::bad_pc);
}

/// Records that the instruction that follows is executed.
static void note(State &s, const Inst *i) {
  note_executed(i);
  NEXT(s, i);
}
/// Counts the basic block that follows (statistics are on). data: BasicBlock;
/// imm: its number.
static void count(State &s, const Inst *i) {
  if (__builtin_expect(i->imm == 0, false))
    count_at_once(s, *static_cast<const BasicBlock *>(i->data));
  else if (s.shape == ONE)
    ++s.executions[i->imm].alone;
  else {
    ++s.executions[i->imm].others;
    s.executions[i->imm].lanes += unsigned(__builtin_popcountll(s.exec()));
  }
  if (i->mods & COUNT_KEEPS_EXEC)
    s.exec_before = s.exec();
  NEXT(s, i);
}
template <Space S> static void count_lanes(State &s, const Inst *i) {
  const MemoryAccess &access = operation(*i).memory;
  Addresses all;
  if (S == Space::buffer)
    counted_buffer_addresses(s, i, all);
  else if (s.shape != ONE)
    all_addresses<S>(s, i, all);
  if (s.shape != ONE) {
    count_accesses(s, all.a, s.exec(), access);
    return;
  }
  const u64 a = S == Space::buffer ? all.a[s.only_lane()]
                                   : lane_address<S>(s, i, s.only_lane());
  if (S != Space::global) {
    if (a >> AddressSpace::ADDRESS_BITS) // the group or private segment
      return;
    const BasicBlock &block = *static_cast<const BasicBlock *>(i->data);
    if (block.number)
      ++s.executions[block.number].alone;
    else
      count_at_once(s, block);
  }
  s.counters->cache_lines += (a & 63) + access.bytes > 64;
}
/// Counts the memory access that follows; it has the same address operands. For
/// one lane's access to global memory, this only counts a second cache line:
/// the basic block counts the rest. For a flat or buffer access, `data` is a
/// basic block that counts the access alone.
static void count_access(State &s, const Inst *i) {
  if (s.shape == NONE)
    NEXT(s, i);
  switch (operation(*i).memory.space) {
  case Space::global:
    count_lanes<Space::global>(s, i);
    break;
  case Space::flat:
    count_lanes<Space::flat>(s, i);
    break;
  case Space::buffer:
    count_lanes<Space::buffer>(s, i);
    break;
  default:
    break;
  }
  NEXT(s, i);
}
/// Counts a divergence, after an instruction that wrote EXEC.
static void count_divergence(State &s, const Inst *i) {
  u64 now = s.exec(), before = s.exec_before;
  if (now && now != before && (now & before) == now)
    ++s.counters->divergences;
  NEXT(s, i);
}

// Scalar memory and registers.

/// How many bytes of the buffer there are from a load in Space::scalar_buffer
/// on.
INLINE u64 left_in_buffer(State &s, const Inst *i) {
  const u32 more = i->src[1] ? scalar32(s, i, i->src[1]) : 0;
  return access::left_in_scalar_buffer(row(s, i->src[0]), i->imm + more);
}
/// Loads the words that are in the buffer; the others become zero. False after
/// a fault was raised.
[[gnu::noinline]] static bool scalar_words(State &s, const Inst *i, u64 a,
                                           u64 left, unsigned words) {
  u32 loaded[16] = {};
  for (unsigned k = 0; k < words && 4 * (k + 1) <= left; ++k, a += 4) {
    const char *from = scalar_memory(s, i, a, 4);
    if (!from)
      return false;
    __builtin_memcpy(loaded + k, from, 4);
  }
  __builtin_memcpy(row(s, i->dst), loaded, words * 4);
  return true;
}

template <unsigned Words, Space S>
static void scalar_load(State &s, const Inst *i) {
  const u64 a = access::scalar_address<S>(LaneOperands{s, i, 0}, Words * 4);
  s.regions->refresh();
  if constexpr (S == Space::scalar_buffer) {
    const u64 left = left_in_buffer(s, i);
    if (left < Words * 4) {
      if (!scalar_words(s, i, a, left, Words))
        return;
      NEXT(s, i);
    }
  }
  const Region *r = find_region(s, a, Words * 4);
  const char *from = reinterpret_cast<const char *>(a);
  if (__builtin_expect(!r, false)) {
    from = scalar_memory(s, i, a, Words * 4);
    if (!from)
      return;
  }
  __builtin_memcpy(reinterpret_cast<char *>(&s) + i->dst, from, Words * 4);
  NEXT(s, i);
}
/// Loads a T of 8 or 16 bits, extended by its sign if its type has one.
template <typename T, Space S>
static void scalar_load_part(State &s, const Inst *i) {
  const u64 a = access::scalar_address<S>(LaneOperands{s, i, 0}, sizeof(T));
  s.regions->refresh();
  if (S == Space::scalar_buffer && left_in_buffer(s, i) < sizeof(T)) {
    *row(s, i->dst) = 0;
    NEXT(s, i);
  }
  if (!find_region(s, a, sizeof(T)) && !scalar_memory(s, i, a, sizeof(T)))
    return;
  T value;
  __builtin_memcpy(&value, reinterpret_cast<const char *>(a), sizeof(T));
  *row(s, i->dst) = u32(value); // NOLINT(bugprone-signed-char-misuse)
  NEXT(s, i);
}
static void memtime(State &s, const Inst *i) {
  mask_at(s, i->dst) = i->imm ? clock_ticks(s) : clock_cycles(s);
  NEXT(s, i);
}
static void wave_number(State &s, const Inst *i) {
  *row(s, i->dst) = s.wave_in_block;
  NEXT(s, i);
}
/// s_sendmsg_rtn: the answer to the request `imm`. Only the clock is emulated;
/// all other answers are 0.
template <typename T> static void message(State &s, const Inst *i) {
  constexpr u64 GET_REALTIME = 131;
  const T value = i->imm == GET_REALTIME ? T(clock_ticks(s)) : 0;
  __builtin_memcpy(row(s, i->dst), &value, sizeof(T));
  NEXT(s, i);
}
/// Sets four bits of MODE, from bit Shift on: rounding, or denormals.
template <unsigned Shift> static void set_mode_field(State &s, const Inst *i) {
  constexpr unsigned MODE = 1;
  const u32 others = read_hardware_register(s, MODE) & ~(15u << Shift);
  write_hardware_register(s, MODE, others | u32(i->imm & 15) << Shift);
  NEXT(s, i);
}
/// imm: id in bits 5:0, offset in 10:6, width - 1 in 15:11.
static void getreg(State &s, const Inst *i) {
  u32 value = read_hardware_register(s, i->imm & 63);
  u32 width = (i->imm >> 11 & 31) + 1;
  value = value >> (i->imm >> 6 & 31);
  *row(s, i->dst) = width == 32 ? value : value & ((1u << width) - 1);
  NEXT(s, i);
}
static void setreg(State &s, const Inst *i) {
  u32 offset = i->imm >> 6 & 31, width = (i->imm >> 11 & 31) + 1;
  u32 field = (width == 32 ? ~0u : (1u << width) - 1) << offset;
  u32 value = i->src[0] ? scalar32(s, i, i->src[0]) : u32(i->imm >> 32);
  u32 old = read_hardware_register(s, i->imm & 63);
  write_hardware_register(s, i->imm & 63,
                          (old & ~field) | (value << offset & field));
  NEXT(s, i);
}
/// Copies a condition into a slot. imm: a Slot; 3: vccz of a wave32.
static void copy_scalar(State &s, const Inst *i) {
  u64 value = i->imm == SLOT_VCCZ    ? s.mask(VCC) == 0
              : i->imm == SLOT_EXECZ ? s.exec() == 0
              : i->imm == SLOT_SCC   ? s.scc
                                     : s.s[VCC] == 0;
  mask_at(s, i->dst) = value;
  NEXT(s, i);
}
/// s_set_gpr_idx_on, _idx and _mode write M0: the index into bits 7:0, the
/// operands that it applies to into bits 15:12.
static void gpr_index_on(State &s, const Inst *i) {
  s.s[M0] = (s.s[M0] & 0xffff0f00u) | (scalar32(s, i, i->src[0]) & 0xff) |
            u32(i->imm & 15) << 12;
  NEXT(s, i);
}
static void gpr_index(State &s, const Inst *i) {
  s.s[M0] = (s.s[M0] & 0xffffff00u) | (scalar32(s, i, i->src[0]) & 0xff);
  NEXT(s, i);
}
static void gpr_index_mode(State &s, const Inst *i) {
  s.s[M0] = (s.s[M0] & 0xffff0fffu) | u32(i->imm & 15) << 12;
  NEXT(s, i);
}
/// Follows the copy of an instruction that indexed() has made: goes on behind
/// the original.
static void back_from_indexed(State &s, const Inst *i) {
  const Inst *to = static_cast<const Inst *>(i->data);
  [[clang::musttail]] return to->fn[s.shape](s, to);
}
/// Executes a copy of the next instruction whose vector register numbers are
/// M0[7:0] higher. imm: a bit for each operand that is indexed; scond: the
/// largest index that keeps all of them inside the register file.
static void indexed(State &s, const Inst *i) {
  const Inst *from = i + 1;
  Inst *copy = s.indexed;
  u32 index = s.s[M0] & 0xff;
  if (__builtin_expect(index > u32(i->scond), false)) {
    index_fault(s, i, index);
    return;
  }
  Operand by = Operand(index * LANES * 4);
  for (unsigned k = 0; k < SHAPES; ++k) {
    copy[0].fn[k] = from->fn[k];
    copy[1].fn[k] = back_from_indexed;
  }
  auto moved = [&](Operand o, bool yes) {
    return yes && o != LITERAL && (o & ROW) ? o + by : o;
  };
  for (unsigned k = 0; k < 3; ++k)
    copy[0].src[k] = moved(from->src[k], i->imm >> k & 1);
  copy[0].dst = moved(from->dst, i->imm >> 3 & 1);
  copy[0].sdst = from->sdst;
  copy[0].scond = from->scond;
  copy[0].mods = from->mods;
  copy[0].pc = from->pc;
  copy[0].imm = from->imm;
  copy[0].data = from->data;
  copy[1].data = from + 1;
  [[clang::musttail]] return copy->fn[s.shape](s, copy);
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
