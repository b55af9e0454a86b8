//===-- emulator/amdgpu/interpret/memory_access.h - Where lanes' data lie -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Translates a lane's address to a host pointer and checks the access first. A
// fault ends the kernel: it does not matter that earlier lanes of the same
// instruction have been executed. Included once per unit inside the level's
// namespace, after lanes.h.
//
// Inst fields: dst: first data row of a load or of an atomic's old value (0:
// none); src[0]: address row (0: none); src[1]: scalar base (0: none); src[2]:
// data row; imm: signed offset. Buffers: sdst is the descriptor, mods offen and
// idxen. DS: src[1] is the second data row, scond the second offset.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

/// The layout of one lane's data in memory and in registers.
template <unsigned Bytes, bool Signed = false, Half D16 = Half::none>
struct LaneData {
  static constexpr unsigned bytes = Bytes;
  static constexpr unsigned words = (Bytes + 3) / 4;
  static constexpr bool sub_word = Bytes < 4;
  static constexpr bool is_signed = Signed;
  static constexpr Half d16 = D16;
  INLINE u32 extend(u32 raw, u32 old) {
    if constexpr (Bytes == 1)
      raw = Signed ? u32(i32(i8(raw))) : raw & 0xff;
    if constexpr (Bytes == 2)
      raw = Signed ? u32(i32(i16(raw))) : raw & 0xffff;
    if constexpr (D16 == Half::low)
      return (old & 0xffff0000u) | (raw & 0xffff);
    if constexpr (D16 == Half::high)
      return (old & 0xffffu) | raw << 16;
    return raw;
  }
  INLINE u32 source(u32 data) { return D16 == Half::high ? data >> 16 : data; }
  /// From memory into a lane of the rows at d.
  INLINE void load(const char *from, u32 *d) {
    if constexpr (sub_word) {
      u32 raw = 0;
      __builtin_memcpy(&raw, from, Bytes);
      *d = extend(raw, *d);
    } else if constexpr (Bytes == 8) {
      u64 both; // one access: 64-bit atomic loads rely on it
      __builtin_memcpy(&both, from, 8);
      d[0] = u32(both);
      d[LANES] = u32(both >> 32);
    } else {
      u32 word[words];
      __builtin_memcpy(word, from, Bytes);
      for (unsigned k = 0; k < words; ++k)
        d[k * LANES] = word[k];
    }
  }
  INLINE void store(char *to, const u32 *d) {
    if constexpr (sub_word) {
      u32 raw = source(*d);
      __builtin_memcpy(to, &raw, Bytes);
    } else if constexpr (Bytes == 8) {
      u64 both = d[0] | u64(d[LANES]) << 32;
      __builtin_memcpy(to, &both, 8);
    } else {
      u32 word[words];
      for (unsigned k = 0; k < words; ++k)
        word[k] = d[k * LANES];
      __builtin_memcpy(to, word, Bytes);
    }
  }
  template <bool Write> INLINE void move(char *memory, u32 *d) {
    if constexpr (Write)
      store(memory, d);
    else
      load(memory, d);
  }
};

/// The type of one lane's element when the lanes' elements are contiguous.
template <typename A>
using Element = std::conditional_t<A::bytes == 1, u8,
                                   std::conditional_t<A::bytes == 2, u16, u32>>;

#define EACH_LANE(l, mask)                                                     \
  for (u64 rest_ = (mask); rest_; rest_ &= rest_ - 1)                          \
    if (unsigned l = unsigned(__builtin_ctzll(rest_)); true)

// Faults and counting (cold_paths.h): rare, so shared by all levels.

/// The allocation that holds all of [a, a + bytes), or null. (RegionCache::find
/// as this level has it: it must not be shared with code for other processors.)
static inline const Region *find_region(State &s, u64 a, u32 bytes) {
  return s.regions->find(a, bytes);
}
/// One lane's memory, checked: null after a fault was raised.
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

/// Where a wave of one lane keeps the private segments of the other lanes:
/// functions save all lanes of registers that hold spilled scalars.
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

/// The address of a lane's bytes in the private segment. Only the bytes of one
/// dword are contiguous there.
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

/// A share of what counts the bytes of a whole wave: the stack pointer where
/// the stack is reached by buffer instructions.
INLINE u32 lane_bytes(const State &s, u32 wave_bytes) {
  return wave_bytes >> (5 + s.last_lane / 32); // of 32 lanes or of 64
}

template <Space S>
INLINE u64 lane_address(State &s, const Inst *i, unsigned lane) {
  u64 a = i->imm;
  if constexpr (S == Space::buffer) {
    const u32 *v = i->src[0] ? row(s, i->src[0]) : nullptr;
    const u32 *d = reinterpret_cast<const u32 *>(address(s, i, i->sdst));
    u32 soffset = scalar32(s, i, i->src[1]);
    bool swizzled = d[1] >> 31;
    u64 index = 0, offset = a;
    if (i->mods & BUFFER_IDXEN) {
      index = v[lane];
      v += LANES;
    }
    if (i->mods & BUFFER_OFFEN)
      offset += v[lane];
    if (swizzled) // the private segment: soffset counts the whole wave's bytes
      return PRIVATE_APERTURE | u32(offset + lane_bytes(s, soffset));
    return (d[0] | u64(d[1] & 0xffff) << 32) + soffset + offset +
           index * ((d[1] >> 16) & 0x3fff);
  } else if constexpr (S == Space::global || S == Space::flat) {
    if (i->src[1])
      return a + scalar64(s, i, i->src[1]) +
             (i->src[0] ? row(s, i->src[0])[lane] : 0);
    const u32 *v = row(s, i->src[0]) + lane;
    return a + (v[0] | u64(v[LANES]) << 32);
  } else {
    u32 offset = u32(a);
    if (i->src[0])
      offset += row(s, i->src[0])[lane];
    if (S == Space::scratch && i->src[1])
      offset += scalar32(s, i, i->src[1]);
    return offset;
  }
}

/// True if the flat address belongs to the private or the group segment.
INLINE bool is_private(u64 a) { return a >> 32 == PRIVATE_APERTURE >> 32; }
INLINE bool is_shared(u64 a) { return a >> 32 == SHARED_APERTURE >> 32; }

enum class Where { global, scratch, lds };
template <Space S> INLINE Where where(u64 &a) {
  if constexpr (S == Space::scratch)
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
