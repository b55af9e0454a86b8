//===-- emulator/amdgpu/interpret/memory_access.h - Where lanes' data lie -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a lane's address to a host pointer and checks the access first. A
// fault ends the kernel: it does not matter that earlier lanes of the same
// instruction have been executed. Included once per unit inside the level's
// namespace, after lanes.h.
//
// Inst fields: dst: first data row of a load or of an atomic's old value (0:
// none); src[2]: data row; access/lane_address.h says what the address is made
// of. DS: src[1] is the second data row, scond the second offset.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

using access::LaneData;

/// The type of one lane's element when the lanes' elements are contiguous.
template <typename A>
using Element = std::conditional_t<A::bytes == 1, u8,
                                   std::conditional_t<A::bytes == 2, u16, u32>>;

#define EACH_LANE(l, mask)                                                     \
  for (u64 rest_ = (mask); rest_; rest_ &= rest_ - 1)                          \
    if (unsigned l = unsigned(__builtin_ctzll(rest_)); true)

// Faults and counting (cold_paths.h): rare, so shared by all levels.

/// The allocation that holds all of [a, a + bytes), or null. (This makes a copy
/// of RegionCache::find for this level: code of levels must not be shared.)
static inline const Region *find_region(State &s, u64 a, u32 bytes) {
  return s.regions->find(a, bytes);
}
/// Checks an access to global memory and returns its host address; null after a
/// fault was raised.
INLINE char *global_at(State &s, const Inst *i, u64 a, u32 bytes, bool write,
                       u64 lanes) {
  if (s.regions->last_span_holds(a, bytes))
    return reinterpret_cast<char *>(a);
  const Region *r = find_region(s, a, bytes);
  if (__builtin_expect(!r || (write && !r->may_write()), false))
    if (!global_slow(s, i, r, a, bytes, write, lanes))
      return nullptr;
  return reinterpret_cast<char *>(a);
}

/// The dwords at `offset` of the private segments of lanes 1 to 63, in a wave
/// with one lane. Such a wave uses them when a function saves all lanes of a
/// register that holds spilled scalars (decode/whole_registers.h).
INLINE char *other_lanes(State &s, u32 offset) {
  return s.scratch + s.private_size + u64(offset >> 2) * OTHER_LANES;
}
/// Bytes from a dword to the next in the lane's private segment.
INLINE u32 word_stride(const State &s, unsigned lane) {
  return s.word_stride == 4 && lane ? OTHER_LANES : s.word_stride;
}
INLINE char *scratch_at(State &s, unsigned lane, u32 offset) {
  if (s.word_stride == 4 && lane)
    return other_lanes(s, offset) + (lane - 1) * 4 + (offset & 3);
  return s.scratch + u64(offset >> 2) * s.word_stride + lane * 4 + (offset & 3);
}
INLINE bool scratch_ok(State &s, const Inst *i, u32 offset, u32 bytes,
                       bool write, u64 lanes) {
  if (__builtin_expect(u64(offset) + bytes <= s.private_size, true))
    return true;
  scratch_fault(s, i, offset, bytes, write, lanes);
  return false;
}
INLINE bool lds_ok(State &s, const Inst *i, u32 offset, u32 bytes, bool write,
                   u64 lanes) {
  if (__builtin_expect(u64(offset) + bytes <= s.lds_size, true))
    return true;
  lds_fault(s, i, offset, bytes, write, lanes);
  return false;
}

/// Reads from a lane's private segment, where only the bytes of one dword are
/// contiguous.
template <unsigned Bytes>
INLINE void scratch_read(State &s, unsigned lane, u32 offset, void *to) {
  if ((offset & 3) + (Bytes < 4 ? Bytes : 4) <= 4) {
    for (unsigned k = 0; k < Bytes; k += 4)
      __builtin_memcpy(static_cast<char *>(to) + k,
                       scratch_at(s, lane, offset + k), Bytes < 4 ? Bytes : 4);
  } else
    for (unsigned k = 0; k < Bytes; ++k)
      static_cast<char *>(to)[k] = *scratch_at(s, lane, offset + k);
}
template <unsigned Bytes>
INLINE void scratch_write(State &s, unsigned lane, u32 offset,
                          const void *from) {
  if ((offset & 3) + (Bytes < 4 ? Bytes : 4) <= 4) {
    for (unsigned k = 0; k < Bytes; k += 4)
      __builtin_memcpy(scratch_at(s, lane, offset + k),
                       static_cast<const char *>(from) + k,
                       Bytes < 4 ? Bytes : 4);
  } else
    for (unsigned k = 0; k < Bytes; ++k)
      *scratch_at(s, lane, offset + k) = static_cast<const char *>(from)[k];
}

// Addresses.

/// The operands of one lane's address (access/lane_address.h).
struct LaneOperands {
  using Word = u32;
  using Long = u64;
  State &s;
  const Inst *i;
  unsigned lane;

  INLINE_MEMBER bool has(unsigned k) const { return i->src[k]; }
  INLINE_MEMBER u32 offset_word() const { return u32(i->imm); }
  INLINE_MEMBER u64 offset_long() const { return i->imm; }
  INLINE_MEMBER u32 lane_word(unsigned more) const {
    return row(s, i->src[0])[more * LANES + lane];
  }
  INLINE_MEMBER u64 lane_long() const {
    return lane_word(0) | u64(lane_word(1)) << 32;
  }
  INLINE_MEMBER u32 scalar_word(unsigned k) const {
    return scalar32(s, i, i->src[k]);
  }
  INLINE_MEMBER u64 scalar_long(unsigned k) const {
    return scalar64(s, i, i->src[k]);
  }
  INLINE_MEMBER u64 extended(u32 word) const { return word; }
  INLINE_MEMBER bool has_index() const { return i->mods & BUFFER_IDXEN; }
  INLINE_MEMBER bool has_offset() const { return i->mods & BUFFER_OFFEN; }
  INLINE_MEMBER unsigned wave_shift() const { return 5 + s.last_lane / 32; }
};
/// The same for loops over lanes: operands that all lanes share are read once,
/// before the loop, and Row and Base say which operands the instruction has.
template <bool Row, bool Base> struct RowOperands {
  using Word = u32;
  using Long = u64;
  const u32 *v; // the address row
  u64 base;     // the scalar
  u64 offset;   // the instruction's
  unsigned lane = 0;

  INLINE_MEMBER RowOperands of(unsigned l) const {
    return {v, base, offset, l};
  }
  INLINE_MEMBER bool has(unsigned k) const { return k == 0 ? Row : Base; }
  INLINE_MEMBER u32 offset_word() const { return u32(offset); }
  INLINE_MEMBER u64 offset_long() const { return offset; }
  INLINE_MEMBER u32 lane_word(unsigned more) const {
    return v[more * LANES + lane];
  }
  INLINE_MEMBER u64 lane_long() const {
    return lane_word(0) | u64(lane_word(1)) << 32;
  }
  INLINE_MEMBER u32 scalar_word(unsigned) const { return u32(base); }
  INLINE_MEMBER u64 scalar_long(unsigned) const { return base; }
  INLINE_MEMBER u64 extended(u32 word) const { return word; }
};
template <Space S>
INLINE u64 lane_address(State &s, const Inst *i, unsigned lane) {
  return access::lane_address<S>(LaneOperands{s, i, lane});
}

/// True if the flat address belongs to the private or the group segment.
INLINE bool is_private(u64 a) { return a >> 32 == PRIVATE_APERTURE >> 32; }
INLINE bool is_shared(u64 a) { return a >> 32 == SHARED_APERTURE >> 32; }

enum class Where { global, scratch, lds };
/// The memory in which the address of an access in space S lies. Makes a flat
/// address in the private segment or LDS an offset there.
template <Space S> INLINE Where where(u64 &a) {
  if constexpr (S == Space::scratch || S == Space::buffer)
    return Where::scratch;
  else if constexpr (S == Space::lds)
    return Where::lds;
  else if constexpr (S == Space::global)
    return Where::global;
  else {
    if (__builtin_expect(a >> 47 == 0, true))
      return Where::global;
    if (is_private(a)) {
      a = u32(a);
      return Where::scratch;
    }
    if (S == Space::flat && is_shared(a)) {
      a = u32(a);
      return Where::lds;
    }
    return Where::global; // outside every segment: the look-up will fault
  }
}

/// Moves one lane's data at address `a`. False after a fault was raised.
template <Space S, typename A, bool Write>
INLINE bool move_lane(State &s, const Inst *i, unsigned lane, u64 a, u32 *d) {
  u64 bit = u64(1) << lane;
  switch (where<S>(a)) {
  case Where::global: {
    char *p = global_at(s, i, a, A::bytes, Write, bit);
    if (!p)
      return false;
    A::template move<Write>(p, d);
    return true;
  }
  case Where::scratch: {
    if (!scratch_ok(s, i, u32(a), A::bytes, Write, bit))
      return false;
    char bytes[16];
    if constexpr (Write) {
      A::store(bytes, d);
      scratch_write<A::bytes>(s, lane, u32(a), bytes);
    } else {
      scratch_read<A::bytes>(s, lane, u32(a), bytes);
      A::load(bytes, d);
    }
    return true;
  }
  case Where::lds:
    if (!lds_ok(s, i, u32(a), A::bytes, Write, bit))
      return false;
    A::template move<Write>(s.lds + u32(a), d);
    return true;
  }
  __builtin_unreachable();
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
