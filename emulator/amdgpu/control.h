//===-- emulator/amdgpu/control.h - Control, scalar memory, lanes -*- C++ -*-===//
// Branches and calls, s_load, hardware registers, instructions that cross
// lanes, and the steps that surround SDWA, DPP and clamped operations.
// Included once per unit inside the level's namespace, after lanes.h.
// The budget is looked at on taken branches alone: straight code ends.
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
/// To a target known from the instruction itself.
static void branch(State &s, const Inst *i) {
  const Inst *to = i->target.load(std::memory_order_acquire);
  if (__builtin_expect(!to, false))
    [[clang::musttail]] return take_first_time(s, i);
  GO(s, i, to);
}
/// The next instruction was decoded elsewhere already.
static void link(State &s, const Inst *i) { [[clang::musttail]] return branch(s, i); }

enum Condition { SCC0, SCC1, VCCZ, VCCNZ, EXECZ, EXECNZ };
template <Condition C> static void conditional(State &s, const Inst *i) {
  bool taken;
  if constexpr (C == SCC0)
    taken = !s.scc;
  else if constexpr (C == SCC1)
    taken = s.scc;
  else if constexpr (C == VCCZ)
    taken = s.mask(VCC) == 0;
  else if constexpr (C == VCCNZ)
    taken = s.mask(VCC) != 0;
  else if constexpr (C == EXECZ)
    taken = s.shape == NONE;
  else
    taken = s.shape != NONE;
  if (taken)
    [[clang::musttail]] return branch(s, i);
  NEXT(s, i);
}

static void getpc(State &s, const Inst *i) {
  mask_at(s, i->dst) = s.code_base + i->pc + 4;
  NEXT(s, i);
}
/// Calls and returns are remembered for reports. A return may skip frames that
/// it was never told of.
INLINE void note_call(State &s, u64 from) { s.calls[s.call_depth++ % CALLS] = from; }
INLINE void note_return(State &s, u64 to) {
  for (u32 depth = s.call_depth, tries = 0; depth && tries < 4; --depth, ++tries)
    if (s.calls[(depth - 1) % CALLS] == to) {
      s.call_depth = depth - 1;
      return;
    }
}
static void setpc(State &s, const Inst *i) {
  u64 pc = scalar64(s, i, i->src[0]);
  const Inst *to = find_code(s, i, pc);
  if (!to)
    return;
  note_return(s, pc);
  GO(s, i, to);
}
static void swappc(State &s, const Inst *i) {
  const Inst *to = find_code(s, i, scalar64(s, i, i->src[0]));
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
  if (s.counters)
    s.counters->barriers++;
  if (s.group->waves == 1)
    NEXT(s, i);
  STOP(s, i + 1, barrier);
}
static void sleep(State &s, const Inst *i) { STOP(s, i + 1, sleep); }
static void fence(State &s, const Inst *i) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  NEXT(s, i);
}
static void ttrace(State &s, const Inst *i) {
  trace_data(s, s.s[M0]);
  NEXT(s, i);
}
static void trap(State &s, const Inst *i) {
  if (i->imm == 3) // llvm.debugtrap: nobody listens
    NEXT(s, i);
  raise(s, i, Fault::Kind::trap, "s_trap " + std::to_string(i->imm));
}
/// `data`: why, a string.
static void unsupported(State &s, const Inst *i) {
  raise(s, i, Fault::Kind::unsupported_instruction, static_cast<const char *>(i->data));
}
static void illegal(State &s, const Inst *i) { raise(s, i, Fault::Kind::illegal_instruction); }
static void leave_code(State &s, const Inst *i) { raise(s, i, Fault::Kind::bad_pc); }

/// Records that the instruction that follows is executed.
static void note(State &s, const Inst *i) {
  note_executed(i);
  NEXT(s, i);
}
/// Counts the instruction that follows (statistics are on).
static void count(State &s, const Inst *i) {
  Counters &c = *s.counters;
  auto kind = InstructionClass(i->kind);
  ++c.instructions[size_t(kind)];
  if (i->imm & 1) { // executed under the mask
    ++c.vector_instructions;
    c.active_lanes += unsigned(__builtin_popcountll(s.exec()));
    c.possible_lanes += LANES;
  }
  if (i->imm & 2)
    ++c.branches;
  if (i->imm & 4) // writes EXEC: remember it to see divergence
    s.slots[3] = s.exec();
  NEXT(s, i);
}
/// After an instruction that wrote EXEC.
static void count_divergence(State &s, const Inst *i) {
  u64 now = s.exec(), before = s.slots[3];
  if (now && now != before && (now & before) == now)
    ++s.counters->divergences;
  NEXT(s, i);
}

// Scalar memory and registers.

/// imm: offset; src[0]: base pair; src[1]: scalar offset or 0; length in words.
template <unsigned Words, bool Buffer> static void scalar_load(State &s, const Inst *i) {
  u64 base = scalar64(s, i, i->src[0]);
  if (Buffer)
    base &= 0xffffffffffffull;
  u64 a = base + i->imm;
  if (i->src[1])
    a += scalar32(s, i, i->src[1]);
  a &= ~u64(3);
  s.regions->refresh();
  const Region *r = s.regions->find(a, Words * 4);
  const char *from = reinterpret_cast<const char *>(a);
  if (__builtin_expect(!r || r->shadow, false)) {
    from = scalar_memory(s, i, a, Words * 4);
    if (!from)
      return;
  }
  __builtin_memcpy(reinterpret_cast<char *>(&s) + i->dst, from, Words * 4);
  NEXT(s, i);
}
static void memtime(State &s, const Inst *i) {
  mask_at(s, i->dst) = i->imm ? clock_now() : __rdtsc();
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
  write_hardware_register(s, i->imm & 63, (old & ~field) | (value << offset & field));
  NEXT(s, i);
}
/// src[0]: 0 vccz, 1 execz, 2 scc, into a slot.
static void copy_scalar(State &s, const Inst *i) {
  u64 value = i->imm == 0 ? s.mask(VCC) == 0 : i->imm == 1 ? s.exec() == 0 : s.scc;
  mask_at(s, i->dst) = value;
  NEXT(s, i);
}
/// s_set_gpr_idx_on, _idx, _mode: M0 holds the index (7:0) and what is indexed
/// (15:12). data: which of them.
static void gpr_index_on(State &s, const Inst *i) {
  s.s[M0] = (s.s[M0] & 0xffff0f00u) | (scalar32(s, i, i->src[0]) & 0xff) | u32(i->imm & 15) << 12;
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
/// The next instruction, with its vector registers moved by M0[7:0]. It runs
/// as a copy whose successor leads back.
static void back_from_indexed(State &s, const Inst *i) {
  const Inst *to = static_cast<const Inst *>(i->data);
  [[clang::musttail]] return to->fn[s.shape](s, to);
}
static void indexed(State &s, const Inst *i) {
  const Inst *from = i + 1;
  Inst *copy = s.indexed;
  Operand by = Operand((s.s[M0] & 0xff) * LANES * 4);
  for (unsigned k = 0; k < SHAPES; ++k) {
    copy[0].fn[k] = from->fn[k];
    copy[1].fn[k] = back_from_indexed;
  }
  auto moved = [&](Operand o, bool yes) { return yes && o != LITERAL && (o & ROW) ? o + by : o; };
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

// Lanes to scalars and back.

static void readfirstlane(State &s, const Inst *i) {
  u64 exec = s.exec();
  *row(s, i->dst) = lane32(s, i, i->src[0], exec ? unsigned(__builtin_ctzll(exec)) : 0);
  NEXT(s, i);
}
static void readlane(State &s, const Inst *i) {
  *row(s, i->dst) = lane32(s, i, i->src[0], scalar32(s, i, i->src[1]) & 63);
  NEXT(s, i);
}
static void writelane(State &s, const Inst *i) {
  row(s, i->dst)[scalar32(s, i, i->src[1]) & 63] = scalar32(s, i, i->src[0]);
  NEXT(s, i);
}
static void swap_rows(State &s, const Inst *i) {
  u32 *a = row(s, i->dst), *b = row(s, i->src[0]);
  EACH_LANE(l, s.exec()) {
    u32 t = a[l];
    a[l] = b[l];
    b[l] = t;
  }
  NEXT(s, i);
}

/// v_pk_mov_b32: op_sel of each source says which of its registers is taken; the
/// first source gives the low result, the second the high one.
static void packed_move(State &s, const Inst *i) {
  u32 *d = row(s, i->dst);
  auto pick = [&](unsigned k, unsigned l) {
    u64 pair = lane64(s, i, i->src[k], l);
    return i->mods & mod_opsel(k) ? u32(pair >> 32) : u32(pair);
  };
  EACH_LANE(l, s.exec()) {
    u32 low = pick(0, l), high = pick(1, l);
    d[l] = low;
    d[LANES + l] = high;
  }
  NEXT(s, i);
}
constexpr Operation packed_move_operation() {
  Operation op;
  op.name = "v_pk_mov_b32";
  op.form = Form::packed32;
  op.sources = 2;
  op.source[0] = op.source[1] = op.result = Type::u64;
  for (Handler &fn : op.fn)
    fn = packed_move;
  return op;
}

// Steps.

#define FOR_LANES(s, l)                                                        \
  for (unsigned first_ = (s).shape == ONE ? (s).only_lane() : 0,               \
                last_ = (s).shape == ONE ? first_ + 1 : LANES, l = first_;     \
       l < last_; ++l)

/// temp (dst) = selected bits of src[0]. imm: shift, width (8, 16, 32) << 8,
/// sign << 16.
static void sdwa(State &s, const Inst *i) {
  unsigned shift = i->imm & 31, up = 32 - (i->imm >> 8 & 63);
  bool sign = i->imm >> 16 & 1;
  u32 *d = row(s, i->dst);
  if (i->src[0] & ROW) {
    const u32 *a = row(s, i->src[0]);
    FOR_LANES(s, l) {
      u32 x = a[l] >> shift << up;
      d[l] = sign ? u32(i32(x) >> up) : x >> up;
    }
  } else {
    u32 x = scalar32(s, i, i->src[0]) >> shift << up;
    x = sign ? u32(i32(x) >> up) : x >> up;
    FOR_LANES(s, l) d[l] = x;
  }
  NEXT(s, i);
}
/// The part of dst that imm names = src[0]; the rest: 0, sign or kept (bits
/// 18:17 of imm).
static void sdwa_merge(State &s, const Inst *i) {
  unsigned shift = i->imm & 31, width = i->imm >> 8 & 63, unused = i->imm >> 17 & 3;
  u32 field = (width == 32 ? ~0u : (1u << width) - 1) << shift;
  u32 keep = unused == 2 ? ~field : 0;
  unsigned up = 32 - width;
  u32 *d = row(s, i->dst);
  const u32 *a = row(s, i->src[0]);
  EACH_LANE(l, s.exec()) {
    u32 value = unused == 1 ? u32(i32(a[l] << up) >> up) << shift : a[l] << shift & field;
    d[l] = (d[l] & keep) | value;
  }
  NEXT(s, i);
}
/// Source lane of a DPP control, or -1.
static int dpp_source(unsigned control, int lane) {
  int in_row = lane & 15, row_base = lane & ~15;
  if (control <= 0xff)
    return (lane & ~3) + (control >> (2 * (lane & 3)) & 3);
  int n = control & 15, at;
  switch (control & 0x1f0) {
  case 0x100: // row_shl
    at = in_row + n;
    return at < 16 ? row_base + at : -1;
  case 0x110: // row_shr
    at = in_row - n;
    return at >= 0 ? row_base + at : -1;
  case 0x120: // row_ror
    return row_base + ((in_row - n) & 15);
  case 0x130: // wave shifts and rotations by one
    switch (n) {
    case 0:
      return lane < 63 ? lane + 1 : -1;
    case 4:
      return (lane + 1) & 63;
    case 8:
      return lane - 1;
    default:
      return (lane - 1) & 63;
    }
  case 0x140:
    switch (n) {
    case 0: // row_mirror
      return row_base + 15 - in_row;
    case 1: // row_half_mirror
      return (lane & ~7) + 7 - (lane & 7);
    case 2: // row_bcast:15
      return row_base - 1;
    default: // row_bcast:31
      return lane < 32 ? -1 : 31;
    }
  default: // row_newbcast
    return row_base + n;
  }
}
/// imm: dpp_ctrl, row_mask << 9, bank_mask << 13, bound_ctrl << 17, registers
/// << 18.
static void dpp(State &s, const Inst *i) {
  u64 exec = s.exec(), write = 0;
  unsigned rows_on = i->imm >> 9 & 15, banks = i->imm >> 13 & 15;
  bool bound = i->imm >> 17 & 1;
  unsigned registers = i->imm >> 18 & 3;
  const u32 *a = row(s, i->src[0]);
  u32 *d = row(s, i->dst);
  for (unsigned l = 0; l < LANES; ++l) {
    int from = dpp_source(i->imm & 0x1ff, int(l));
    bool valid = from >= 0 && (exec >> from & 1);
    for (unsigned k = 0; k < registers; ++k)
      d[k * LANES + l] = valid ? a[k * LANES + unsigned(from)] : 0;
    bool on = (rows_on >> (l / 16) & 1) && (banks >> (l % 16 / 4) & 1) && (valid || bound);
    write |= u64(on) << l;
  }
  s.dpp_mask = write & exec;
  NEXT(s, i);
}
/// dst = src[0] in the lanes of dpp_mask. imm: registers.
static void masked_copy(State &s, const Inst *i) {
  EACH_LANE(l, s.dpp_mask)
    for (unsigned k = 0; k < i->imm; ++k)
      row(s, i->dst)[k * LANES + l] = row(s, i->src[0])[k * LANES + l];
  NEXT(s, i);
}
/// temp = src[0] with its sign modified as a 32-bit float. imm: neg, abs << 1.
static void modify(State &s, const Inst *i) {
  u32 keep = i->imm & 2 ? 0x7fffffffu : ~0u, flip = i->imm & 1 ? 0x80000000u : 0;
  u32 *d = row(s, i->dst);
  FOR_LANES(s, l) d[l] = (lane32(s, i, i->src[0], l) & keep) ^ flip;
  NEXT(s, i);
}
/// temp = upper half of src[0].
static void upper_half(State &s, const Inst *i) {
  u32 *d = row(s, i->dst);
  FOR_LANES(s, l) d[l] = lane32(s, i, i->src[0], l) >> 16;
  NEXT(s, i);
}
/// The half of dst that imm names (0 low, 1 high) = src[0].
static void insert_half(State &s, const Inst *i) {
  u32 *d = row(s, i->dst);
  const u32 *a = row(s, i->src[0]);
  EACH_LANE(l, s.exec())
    d[l] = i->imm ? (d[l] & 0xffff) | a[l] << 16 : (d[l] & 0xffff0000u) | (a[l] & 0xffff);
  NEXT(s, i);
}
/// dst = src[0] with omod and clamp. imm: Type; mods as the operation's.
static void finish(State &s, const Inst *i) {
  unsigned omod = i->mods >> MOD_OMOD_SHIFT & 3;
  bool clamp = i->mods & MOD_CLAMP;
  u32 *d = row(s, i->dst);
  const u32 *a = row(s, i->src[0]);
  auto apply = [&](auto v) __attribute__((always_inline)) {
    v = ops::apply_omod(s.mode, v, omod);
    return clamp ? ops::apply_clamp(s.mode, v) : v;
  };
  EACH_LANE(l, s.exec()) switch (Type(i->imm)) {
  case Type::f32:
    d[l] = ops::bits_of(apply(ops::f32(a[l])));
    break;
  case Type::f64: {
    u64 bits = ops::bits_of(apply(ops::f64(a[l] | u64(a[LANES + l]) << 32)));
    d[l] = u32(bits);
    d[LANES + l] = u32(bits >> 32);
    break;
  }
  case Type::u64: // two floats
    d[l] = ops::bits_of(apply(ops::f32(a[l])));
    d[LANES + l] = ops::bits_of(apply(ops::f32(a[LANES + l])));
    break;
  case Type::p16:
    d[l] = ops::bits_of(apply(ops::f16(a[l]))) | u32(ops::bits_of(apply(ops::f16(a[l] >> 16)))) << 16;
    break;
  default:
    d[l] = (i->sdst ? d[l] & 0xffff0000u : 0) | ops::bits_of(apply(ops::f16(a[l])));
  }
  NEXT(s, i);
}
/// EXEC = lane mask src[0].
static void set_exec(State &s, const Inst *i) {
  s.mask(EXEC) = mask_at(s, i->src[0]);
  s.exec_changed();
  NEXT(s, i);
}

// DS across lanes, without memory.

static void ds_bpermute(State &s, const Inst *i) {
  const u32 *v = row(s, i->src[0]), *data = row(s, i->src[2]);
  u64 exec = s.exec();
  u32 result[LANES];
  EACH_LANE(l, exec) {
    unsigned from = (v[l] + u32(i->imm)) >> 2 & 63;
    result[l] = exec >> from & 1 ? data[from] : 0;
  }
  EACH_LANE(l, exec) row(s, i->dst)[l] = result[l];
  NEXT(s, i);
}
static void ds_permute(State &s, const Inst *i) {
  const u32 *v = row(s, i->src[0]), *data = row(s, i->src[2]);
  u64 exec = s.exec();
  u32 result[LANES] = {};
  EACH_LANE(l, exec) result[(v[l] + u32(i->imm)) >> 2 & 63] = data[l];
  EACH_LANE(l, exec) row(s, i->dst)[l] = result[l];
  NEXT(s, i);
}
static void ds_swizzle(State &s, const Inst *i) {
  const u32 *data = row(s, i->src[0]);
  u64 exec = s.exec();
  u32 result[LANES];
  unsigned pattern = i->imm & 0xffff;
  EACH_LANE(l, exec) {
    unsigned from = pattern & 0x8000 ? (l & ~3u) + (pattern >> (2 * (l & 3)) & 3)
                                     : (l & ~31u) + ((((l & 31) & pattern) | (pattern >> 5 & 31)) ^ (pattern >> 10 & 31));
    result[l] = exec >> from & 1 ? data[from] : 0;
  }
  EACH_LANE(l, exec) row(s, i->dst)[l] = result[l];
  NEXT(s, i);
}
/// ds_append, ds_consume: a counter at M0's base plus offset moves by the number
/// of active lanes.
template <bool Append> static void ds_append(State &s, const Inst *i) {
  u32 offset = (s.s[M0] >> 16) + u32(i->imm);
  u64 exec = s.exec();
  if (!lds_ok(s, i, offset, 4, true, exec))
    return;
  if (offset & 3) {
    misaligned_fault(s, i, offset, 4, exec);
    return;
  }
  u32 n = u32(__builtin_popcountll(exec));
  u32 *counter = reinterpret_cast<u32 *>(s.lds + offset);
  u32 old = Append ? __atomic_fetch_add(counter, n, __ATOMIC_SEQ_CST) : __atomic_fetch_sub(counter, n, __ATOMIC_SEQ_CST);
  EACH_LANE(l, exec) row(s, i->dst)[l] = old;
  NEXT(s, i);
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
