//===-- emulator/amdgpu/interpret/wave_memory.h - Loads and stores -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Routines for the most frequent loads and stores: lanes at any addresses, back
// to back or at one address, in memory that the wave has accessed before
// (RegionCache's spans), rows of the private segment, and LDS. They leave the
// rest to the interpreter: the first access, which finds the span, and faults.
// Included once, by routines.cpp, inside the level's namespace.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

/// Up to this many active lanes are handled one by one.
constexpr int FEW_LANES = 6;

/// The address of one lane.
template <bool Base>
INLINE u64 wave_address(const RowOperands<true, Base> &operands,
                        unsigned lane) {
  return access::lane_address<Space::global>(operands.of(lane));
}
/// Bit 63 is set if an access lies outside a span: it begins `x` bytes behind
/// the span's begin, and may at most begin `last` bytes behind it.
INLINE u64 outside_span(u64 x, u64 last) { return x | (last - x); }
/// The addresses of all lanes; those that are off get an active lane's. Returns
/// true if all accesses lie in the span.
template <typename A, bool Base, bool Masked>
INLINE bool wave_addresses(State &s, const RowOperands<true, Base> &operands,
                           Addresses &to, const MemorySpan &span) {
  const u64 some =
      Masked ? wave_address(operands, unsigned(__builtin_ctzll(s.exec()))) : 0;
  const u32 *on = Masked ? exec_rows(s) : nullptr;
  const u64 begin = span.begin, last = span.length - A::bytes;
  u64 outside = last; // negative if there is no span
  LANE_LOOP
  for (unsigned l = 0; l < LANES; ++l) {
    u64 address = wave_address(operands, l);
    if constexpr (Masked)
      address = on[l] ? address : some;
    to.a[l] = address;
    outside |= outside_span(address - begin, last);
  }
  return !(outside >> 63);
}
template <typename A>
INLINE bool all_in_span(const MemorySpan &span, const Addresses &a) {
  const u64 begin = span.begin, last = span.length - A::bytes;
  u64 outside = last;
  LANE_LOOP
  for (unsigned l = 0; l < LANES; ++l)
    outside |= outside_span(a.a[l] - begin, last);
  return !(outside >> 63);
}
/// Makes flat addresses in the lanes' private segments host addresses of the
/// first word of each access. False if not all addresses are of that kind, or
/// an access crosses from one word into the next.
template <typename A> INLINE bool private_addresses(State &s, Addresses &a) {
  const u64 scratch = reinterpret_cast<u64>(s.scratch),
            last = u64(s.private_size) - A::bytes;
  constexpr u64 unaligned = A::sub_word ? A::bytes - 1 : 3;
  u64 wrong = last;
  LANE_LOOP
  for (unsigned l = 0; l < LANES; ++l) {
    const u64 offset = a.a[l] - PRIVATE_APERTURE;
    wrong |= offset | (last - offset) | (offset & unaligned) << 62;
    a.a[l] = scratch + (offset >> 2) * (LANES * 4) + l * 4 + (offset & 3);
  }
  return !(wrong >> 62);
}
template <typename A, bool Write>
INLINE void move_private(State &s, Addresses &a, u32 *d) {
  if constexpr (A::sub_word)
    move_lanes<A, Write>(s, a, d);
  else
    for (unsigned k = 0; k < A::words; ++k) {
      move_lanes<LaneData<4>, Write>(s, a, d + k * LANES);
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l)
        a.a[l] += LANES * 4;
    }
}
/// True if two lanes suggest that the addresses are back to back: the
/// interpreter has faster code for that.
template <typename A> INLINE bool is_pattern(const u32 *v) {
  return v[1] == v[0] + A::bytes;
}
/// True if the first and the last active lane suggest that several lanes all
/// have one address.
INLINE bool may_be_one_address(u64 exec, const u32 *v) {
  return exec & (exec - 1) &&
         v[__builtin_ctzll(exec)] == v[63 - __builtin_clzll(exec)];
}
/// True if all active lanes have lane `first`'s address.
template <bool Base>
INLINE bool same_address(State &s, const u32 *v, unsigned first) {
  return same_in_lanes(s, v, first) &&
         (Base || same_in_lanes(s, v + LANES, first));
}
/// Moves the data of a few lanes; false if an access is not in the newest span.
/// All lanes are checked before one is moved: a load may overwrite the
/// addresses, which the interpreter would need.
template <typename A, bool Write, bool Base>
INLINE bool move_few(State &s, const RowOperands<true, Base> &operands,
                     u32 *d) {
  EACH_LANE(l, s.exec()) {
    if (!s.regions->last_span_holds(wave_address(operands, l), A::bytes))
      return false;
  }
  EACH_LANE(l, s.exec()) {
    A::template move<Write>(reinterpret_cast<char *>(wave_address(operands, l)),
                            d + l);
  }
  return true;
}
/// The Routine of a load or store: `d` is the row of data, `v` that of
/// addresses, `scalar` the scalar base. Flat: addresses may lie in the private
/// segments.
template <bool Flat, typename A, bool Write, bool Base, bool Masked>
static uintptr_t wave_transfer(State &s, const Inst *i, u32 *d, const u32 *v,
                               const u32 *scalar, const u32 *) {
  __builtin_assume((s.shape == FULL) == !Masked);
  const uintptr_t done = reinterpret_cast<uintptr_t>(&s), not_done = done | 1;
  RowOperands<true, Base> operands = {v, 0, i->imm};
  if constexpr (Base)
    __builtin_memcpy(&operands.base, scalar, 8);
  if (__builtin_expect(!s.regions->is_fresh(), false))
    return not_done;
  const u64 exec = Masked ? s.exec() : ~u64(0);
  if (exec && in_lane_order<!Base>(s, v, exec, A::bytes) &&
      move_ordered_global<A, Write>(
          s, wave_address(operands, unsigned(__builtin_ctzll(exec))), d))
    return done;
  if (!Write && may_be_one_address(exec, v)) {
    const unsigned first = unsigned(__builtin_ctzll(exec));
    if (same_address<Base>(s, v, first)) {
      const u64 address = wave_address(operands, first);
      if (!in_one_region(s, address, address, A::bytes, false))
        return not_done;
      broadcast<A>(s, reinterpret_cast<const char *>(address), d);
      return done;
    }
  }
  if (Masked && __builtin_popcountll(exec) <= FEW_LANES)
    return move_few<A, Write, Base>(s, operands, d) ? done : not_done;
  if (!Masked && is_pattern<A>(v))
    return not_done;
  Addresses a;
  if (wave_addresses<A, Base, Masked>(s, operands, a, s.regions->span(0)) ||
      all_in_span<A>(s.regions->span(1), a))
    move_lanes<A, Write>(s, a, d);
  else if (Flat && is_private(a.a[0]) && private_addresses<A>(s, a))
    move_private<A, Write>(s, a, d);
  else
    return not_done;
  return done;
}
/// The Routine of a load or store at the same offset of every lane's private
/// segment. Base: a scalar is added to the offset.
template <typename A, bool Write, bool Base, bool Masked>
static uintptr_t wave_scratch(State &s, const Inst *i, u32 *d, const u32 *,
                              const u32 *scalar, const u32 *) {
  const uintptr_t done = reinterpret_cast<uintptr_t>(&s), not_done = done | 1;
  u32 offset = u32(i->imm);
  if constexpr (Base)
    offset += *scalar;
  if (__builtin_expect(offset & 3 || u64(offset) + A::bytes > s.private_size,
                       false))
    return not_done;
  u32 *place = reinterpret_cast<u32 *>(s.scratch + u64(offset) * LANES);
  const u64 exec = Masked ? s.exec() : ~u64(0);
  for (unsigned at = 0; at < A::words * LANES; at += GROUP) {
    Words words;
    __builtin_memcpy(words.x, Write ? d + at : place + at, sizeof(words));
    put_words<Masked>(Write ? place + at : d + at, words,
                      u32(exec >> at % LANES) & 0xffff);
  }
  return done;
}

/// The Routine of a load from LDS or a store to it.
template <typename A, bool Write, bool Masked>
static uintptr_t wave_lds(State &s, const Inst *i, u32 *d, const u32 *v,
                          const u32 *, const u32 *) {
  const uintptr_t done = reinterpret_cast<uintptr_t>(&s), not_done = done | 1;
  const u64 exec = Masked ? s.exec() : ~u64(0);
  if (!exec)
    return done;
  const unsigned first = unsigned(__builtin_ctzll(exec));
  if (!Write && may_be_one_address(exec, v) && same_in_lanes(s, v, first)) {
    const u32 offset = v[first] + u32(i->imm);
    if (u64(offset) + A::bytes > s.lds_size)
      return not_done;
    broadcast<A>(s, s.lds + offset, d);
    return done;
  }
  return move_lds<A, Write>(s, exec, v, u32(i->imm), d) ? done : not_done;
}

template <Space S, typename A, bool Write, bool Base, bool Masked>
constexpr RoutineRow wave_memory_row(OperationId id) {
  constexpr bool is_global = S == Space::global || S == Space::flat;
  RoutineRow row{{u16(id), Base, false, Masked}, nullptr};
  if constexpr (is_global && A::format.half == Half::none)
    row.routine = wave_transfer<S == Space::flat, A, Write, Base, Masked>;
  else if constexpr (S == Space::lds && !Base && A::format.half == Half::none)
    row.routine = wave_lds<A, Write, Masked>;
  else if constexpr (S == Space::scratch && A::bytes >= 4)
    row.routine = wave_scratch<A, Write, Base, Masked>;
  return row;
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
