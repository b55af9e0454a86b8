//===-- emulator/amdgpu/interpret/memory_rows.h - Where a wave's data lie -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the addresses of all lanes and finds out what they have in common.
// Two cases are fast: all lanes access the same offset of their private
// segments, and one value goes to every lane.
// Included once per unit inside the level's namespace, after memory_access.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

struct Addresses {
  alignas(64) u64 a[LANES];
};

template <Space S, bool Row, bool Base>
INLINE void row_addresses(State &s, const Inst *i, Addresses &to) {
  const RowOperands<Row, Base> operands = {Row ? row(s, i->src[0]) : nullptr,
                                           !Base ? 0
                                           : S == Space::scratch
                                               ? scalar32(s, i, i->src[1])
                                               : scalar64(s, i, i->src[1]),
                                           i->imm};
  LANE_LOOP
  for (unsigned l = 0; l < LANES; ++l)
    to.a[l] = access::lane_address<S>(operands.of(l));
}
template <Space S>
[[gnu::noinline]] static void all_addresses(State &s, const Inst *i,
                                            Addresses &to) {
  if constexpr (S == Space::buffer)
    for (unsigned l = 0; l < LANES; ++l)
      to.a[l] = lane_address<S>(s, i, l);
  else if (S == Space::lds || !i->src[1])
    i->src[0] ? row_addresses<S, true, false>(s, i, to)
              : row_addresses<S, S == Space::global || S == Space::flat, false>(
                    s, i, to);
  else
    i->src[0] ? row_addresses<S, true, true>(s, i, to)
              : row_addresses<S, false, true>(s, i, to);
}
[[gnu::noinline]] static bool all_back_to_back(const Addresses &a, u64 bytes) {
  u64 base = a.a[0], different = 0;
  LANE_LOOP
  for (unsigned l = 0; l < LANES; ++l)
    different |= a.a[l] ^ (base + l * bytes);
  return different == 0;
}
INLINE bool back_to_back(const Addresses &a, u64 bytes) {
  return a.a[1] == a.a[0] + bytes && // most others fail here already
         all_back_to_back(a, bytes);
}
/// True if [low, high + bytes) lies in one allocation that the fast path may
/// access without further checks.
INLINE bool in_one_region(State &s, u64 low, u64 high, u32 bytes, bool write) {
  u64 apart = high - low;
  if (apart > 0xffffff00u || low >> 47) // no sum below overflows
    return false;
  const Region *r = find_region(s, low, u32(apart) + bytes);
  return r && (!write || r->may_write());
}

// The same offset in every lane's private segment.

/// `yes` where the mask is ~0, `no` where it is 0. (Of a conditional operator
/// clang makes a gather instruction from the chosen addresses.)
INLINE u32 chosen(u32 mask, u32 yes, u32 no) {
  return (yes & mask) | (no & ~mask);
}
/// The dwords at `offset` of the private segments of all lanes; in a wave with
/// one lane only lane 0's, see other_lanes().
INLINE u32 *scratch_row(State &s, u32 offset) {
  return reinterpret_cast<u32 *>(s.scratch + u64(offset >> 2) * s.word_stride);
}
template <typename A>
INLINE void scratch_row_load(State &s, u32 offset, u32 *d, const u32 *write) {
  alignas(64) u32 gathered[LANES];
  for (unsigned k = 0; k < A::words; ++k, offset += 4, d += LANES) {
    const u32 *from = scratch_row(s, offset);
    if (!A::sub_word && !write && s.word_stride == 4) {
      d[0] = *from;
      __builtin_memcpy(d + 1, other_lanes(s, offset), OTHER_LANES);
      continue;
    }
    if (s.word_stride == 4) {
      gathered[0] = *from;
      __builtin_memcpy(gathered + 1, other_lanes(s, offset), OTHER_LANES);
      from = gathered;
    }
    unsigned shift = A::sub_word ? 8 * (offset & 3) : 0;
    if (write) {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l)
        d[l] = chosen(write[l], A::extend(from[l] >> shift, d[l]), d[l]);
    } else {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l)
        d[l] = A::extend(from[l] >> shift, d[l]);
    }
  }
}
template <typename A>
INLINE void scratch_row_store(State &s, u32 offset, const u32 *d,
                              const u32 *write) {
  alignas(64) u32 gathered[LANES];
  for (unsigned k = 0; k < A::words; ++k, offset += 4, d += LANES) {
    u32 *place = scratch_row(s, offset), *to = place;
    if (!A::sub_word && !write && s.word_stride == 4) {
      *place = d[0];
      __builtin_memcpy(other_lanes(s, offset), d + 1, OTHER_LANES);
      continue;
    }
    if (s.word_stride == 4) {
      to = gathered;
      to[0] = *place;
      __builtin_memcpy(to + 1, other_lanes(s, offset), OTHER_LANES);
    }
    unsigned shift = A::sub_word ? 8 * (offset & 3) : 0;
    u32 field = (A::bytes == 1   ? 0xffu
                 : A::bytes == 2 ? 0xffffu
                                 : ~0u)
                << shift;
    if (write) {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l) {
        u32 w = write[l] & field;
        to[l] = (to[l] & ~w) | ((A::source(d[l]) << shift) & w);
      }
    } else {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l)
        to[l] = (to[l] & ~field) | ((A::source(d[l]) << shift) & field);
    }
    if (to != place) {
      *place = to[0];
      __builtin_memcpy(other_lanes(s, offset), to + 1, OTHER_LANES);
    }
  }
}
template <typename A, bool Write>
[[gnu::noinline]] static void scratch_row_move(State &s, u32 offset, u32 *d) {
  const u32 *write = s.shape == FULL ? nullptr : exec_rows(s);
  if constexpr (Write)
    scratch_row_store<A>(s, offset, d, write);
  else
    scratch_row_load<A>(s, offset, d, write);
}
/// True if no dword of an access at `offset` crosses from one word of the
/// private segment into the next.
template <typename A> INLINE bool one_word_each(State &s, u32 offset) {
  return (offset & 3) + (A::sub_word ? A::bytes : 4) <= 4;
}

/// Moves one lane's data in its private segment; one_word_each() holds.
template <typename A, bool Write>
INLINE void private_move(State &s, unsigned l, u32 offset, u32 *d) {
  char *memory = scratch_at(s, l, offset);
  const u32 stride = word_stride(s, l);
  if constexpr (A::sub_word)
    A::template move<Write>(memory, d);
  else
    for (unsigned k = 0; k < A::words; ++k)
      if constexpr (Write)
        __builtin_memcpy(memory + k * stride, d + k * LANES, 4);
      else
        __builtin_memcpy(d + k * LANES, memory + k * stride, 4);
}

// One value for all lanes.

/// True if row `v` holds lane `first`'s word in every active lane.
INLINE bool same_in_lanes(State &s, const u32 *v, unsigned first) {
  const u32 word = v[first];
  if (v[63 - __builtin_clzll(s.exec())] != word) // most others fail here already
    return false;
  u32 different = 0;
  if (s.shape == FULL) {
    LANE_LOOP
    for (unsigned l = 0; l < LANES; ++l)
      different |= v[l] ^ word;
  } else {
    const u32 *on = exec_rows(s);
    LANE_LOOP
    for (unsigned l = 0; l < LANES; ++l)
      different |= (v[l] ^ word) & on[l];
  }
  return different == 0;
}

/// Loads one value and writes it to every active lane. An instruction whose
/// lanes all have one address must load once: LLVM takes the result for one
/// value, and branches for the whole wave by it, while others may write there.
template <typename A>
[[gnu::noinline]] static void broadcast(State &s, const char *from, u32 *d) {
  u32 word[A::words];
  A::fetch(from, word);
  const u32 *write = s.shape == FULL ? nullptr : exec_rows(s);
  for (unsigned k = 0; k < A::words; ++k, d += LANES) {
    u32 value = word[k];
    if (write) {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l)
        d[l] = chosen(write[l], A::extend(value, d[l]), d[l]);
    } else {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l)
        d[l] = A::extend(value, d[l]);
    }
  }
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
