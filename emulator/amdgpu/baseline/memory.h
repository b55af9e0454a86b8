//===-- emulator/amdgpu/baseline/memory.h - Stencils of loads and stores -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included once, by stencils.cpp, in this order: holes.h, arithmetic.h,
// memory.h, control.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::baseline {
namespace {

// Memory: each access has an inline cache (jit/inline_cache.h).

template <Space S, bool Row, bool Base> INLINE u64 address_of(State &s) {
  const u64 offset = reinterpret_cast<uintptr_t>(&hole_offset);
  if constexpr (S == Space::global || S == Space::flat) {
    if constexpr (Base) {
      u64 base;
      __builtin_memcpy(&base, FIELD(char, src1), 8);
      return base + (Row ? *FIELD(const u32, src0) : 0) + offset;
    } else {
      const u32 *v = FIELD(const u32, src0);
      return (v[0] | u64(v[LANES]) << 32) + offset;
    }
  } else {
    u32 sum = u32(offset);
    if constexpr (Row)
      sum += *FIELD(const u32, src0);
    if constexpr (Base && S == Space::scratch)
      sum += *FIELD(const u32, src1);
    if constexpr (S == Space::buffer) // counts the bytes of a wave
      sum += *FIELD(const u32, src1) >> (5 + s.last_lane / 32);
    return sum;
  }
}
/// Whether a buffer is swizzled, as that of the stack alone is.
INLINE bool is_swizzled(State &s) { return FIELD(const u32, sdst)[1] >> 31; }
INLINE char *cached(State &s, u64 address, bool &hit) {
  const State::InlineCache &cache = *FIELD(const State::InlineCache, cache);
  hit = address - cache.begin < cache.length;
  return reinterpret_cast<char *>(address + cache.delta);
}

template <unsigned Bytes, bool Signed, Half D16>
INLINE void load_lane(const char *from, u32 *d) {
  if constexpr (Bytes < 4) {
    u32 raw = 0;
    __builtin_memcpy(&raw, from, Bytes);
    if constexpr (Bytes == 1)
      raw = Signed ? u32(i32(i8(raw))) : raw & 0xff;
    else
      raw = Signed ? u32(i32(i16(raw))) : raw & 0xffff;
    *d = D16 == Half::low    ? (*d & 0xffff0000u) | (raw & 0xffff)
         : D16 == Half::high ? (*d & 0xffff) | raw << 16
                             : raw;
  } else if constexpr (Bytes == 8) { // one access: atomic loads rely on it
    u64 both;
    __builtin_memcpy(&both, from, 8);
    d[0] = u32(both);
    d[LANES] = u32(both >> 32);
  } else {
    u32 word[Bytes / 4];
    __builtin_memcpy(word, from, Bytes);
    for (unsigned k = 0; k < Bytes / 4; ++k)
      d[k * LANES] = word[k];
  }
}
template <unsigned Bytes, Half D16>
INLINE void store_lane(char *to, const u32 *d) {
  if constexpr (Bytes < 4) {
    u32 raw = D16 == Half::high ? *d >> 16 : *d;
    __builtin_memcpy(to, &raw, Bytes);
  } else if constexpr (Bytes == 8) {
    u64 both = d[0] | u64(d[LANES]) << 32;
    __builtin_memcpy(to, &both, 8);
  } else {
    u32 word[Bytes / 4];
    for (unsigned k = 0; k < Bytes / 4; ++k)
      word[k] = d[k * LANES];
    __builtin_memcpy(to, word, Bytes);
  }
}

template <Space S, unsigned Bytes, bool Signed, Half D16, bool Write, bool Row,
          bool Base>
void transfer(State &s, const Inst *) {
  u64 address = address_of<S, Row, Base>(s);
  char *p;
  bool good;
  if constexpr (S == Space::global || S == Space::flat)
    p = cached(s, address, good);
  else if constexpr (S == Space::lds) {
    good = address + Bytes <= s.lds_size;
    p = s.lds + address;
  } else { // a lane's bytes are contiguous, or the code is not entered
    good = address + Bytes <= s.private_size;
    if constexpr (S == Space::buffer)
      good = good && is_swizzled(s);
    p = s.scratch + address;
  }
  if (__builtin_expect(!good, false))
    JUMP_TO(cold);
  if constexpr (Write)
    store_lane<Bytes, D16>(p, FIELD(const u32, src2));
  else
    load_lane<Bytes, Signed, D16>(p, FIELD(u32, dst));
  JUMP_TO(next);
}
template <Space S, unsigned Bytes, bool Write, bool Row, bool Base>
void miss(State &s, const Inst *) {
  if constexpr (S == Space::global || S == Space::flat)
    if (baseline_fill(s, NUMBER(cache_number), address_of<S, Row, Base>(s),
                      Bytes * 2 + Write, S == Space::flat))
      JUMP_TO(again);
  JUMP_TO(leave);
}
template <Space S, unsigned Bytes, bool Signed, Half D16, bool Write, bool Row,
          bool Base>
constexpr amdgpu::baseline::Row memory_row(OperationId id) {
  amdgpu::baseline::Row row{Key{u16(id),
                                u8(MicroOpKind::operation),
                                u8(Variant::plain),
                                {Row, Base, 0},
                                0,
                                0},
                            nullptr, nullptr};
  constexpr bool global = S == Space::global || S == Space::flat;
  constexpr bool exists = global ? Row || Base
                                 : S == Space::scratch ||
                                       (S == Space::buffer && Base) ||
                                       (S == Space::lds && Row && !Base);
  if constexpr (exists) {
    row.code = transfer<S, Bytes, Signed, D16, Write, Row, Base>;
    row.cold = miss<S, Bytes, Write, Row, Base>;
  }
  return row;
}

/// LDS: two accesses, whose offsets are in imm and scond.
template <unsigned Bytes, bool Write>
void transfer_two(State &s, const Inst *) {
  const u32 base = *FIELD(const u32, src0);
  const u64 first = u32(base + u32(reinterpret_cast<uintptr_t>(&hole_offset))),
            second = u32(base + NUMBER(scond));
  if (__builtin_expect(
          first + Bytes > s.lds_size || second + Bytes > s.lds_size, false))
    JUMP_TO(leave);
  if constexpr (Write) {
    store_lane<Bytes, Half::none>(s.lds + first, FIELD(const u32, src2));
    store_lane<Bytes, Half::none>(s.lds + second, FIELD(const u32, src1));
  } else {
    u32 *d = FIELD(u32, dst);
    load_lane<Bytes, false, Half::none>(s.lds + first, d);
    load_lane<Bytes, false, Half::none>(s.lds + second, d + Bytes / 4 * LANES);
  }
  JUMP_TO(next);
}
template <unsigned Bytes, bool Write> constexpr Row two_row(OperationId id) {
  return {Key{u16(id), 0, 0, {true, Write, 0}, 0, 0},
          transfer_two<Bytes, Write>, nullptr};
}

/// A whole register and its place in the private segments of all lanes.
template <Space S, bool Write> void move_register(State &s, const Inst *) {
  const u64 address = address_of<S, false, true>(s);
  bool good = !(address & 3) && address + 4 <= s.private_size;
  if constexpr (S == Space::buffer)
    good = good && is_swizzled(s);
  if (__builtin_expect(!good, false))
    JUMP_TO(leave);
  char *mine = s.scratch + address,
       *others = s.scratch + s.private_size + (address >> 2) * OTHER_LANES;
  char *held = Write ? FIELD(char, src2) : FIELD(char, dst);
  if constexpr (Write) {
    __builtin_memcpy(mine, held, 4);
    __builtin_memcpy(others, held + 4, OTHER_LANES);
  } else {
    __builtin_memcpy(held, mine, 4);
    __builtin_memcpy(held + 4, others, OTHER_LANES);
  }
  JUMP_TO(next);
}

template <bool Base> INLINE u64 scalar_address(State &s) {
  u64 address =
      *FIELD(const u64, src0) + reinterpret_cast<uintptr_t>(&hole_offset);
  if constexpr (Base)
    address += *FIELD(const u32, src1);
  return address & ~u64(3);
}
template <unsigned Words, bool Base> void scalar_load(State &s, const Inst *) {
  bool hit;
  char *p = cached(s, scalar_address<Base>(s), hit);
  if (__builtin_expect(!hit, false))
    JUMP_TO(cold);
  u32 words[Words];
  __builtin_memcpy(words, p, sizeof(words));
  __builtin_memcpy(FIELD(char, dst), words, sizeof(words));
  JUMP_TO(next);
}
template <unsigned Words, bool Base> void scalar_miss(State &s, const Inst *) {
  if (baseline_fill(s, NUMBER(cache_number), scalar_address<Base>(s), Words * 8,
                    false))
    JUMP_TO(again);
  JUMP_TO(leave);
}
/// One T, which the other bits of the register repeat or not, as its type says.
template <typename T, bool Base> INLINE u64 scalar_part_address(State &s) {
  u64 address =
      *FIELD(const u64, src0) + reinterpret_cast<uintptr_t>(&hole_offset);
  if constexpr (Base)
    address += *FIELD(const u32, src1);
  return address & ~u64(sizeof(T) - 1);
}
template <typename T, bool Base> void scalar_part(State &s, const Inst *) {
  bool hit;
  char *p = cached(s, scalar_part_address<T, Base>(s), hit);
  if (__builtin_expect(!hit, false))
    JUMP_TO(cold);
  T value;
  __builtin_memcpy(&value, p, sizeof(T));
  *FIELD(u32, dst) = u32(value);
  JUMP_TO(next);
}
template <typename T, bool Base> void scalar_part_miss(State &s, const Inst *) {
  if (baseline_fill(s, NUMBER(cache_number), scalar_part_address<T, Base>(s),
                    sizeof(T) * 2, false))
    JUMP_TO(again);
  JUMP_TO(leave);
}
template <Space S, typename T, bool Base>
constexpr Row scalar_part_row(OperationId id) {
  Row row{Key{u16(id), 0, 0, {1, Base, 0}, 0, 0}, nullptr, nullptr};
  if constexpr (S == Space::scalar) {
    row.code = scalar_part<T, Base>;
    row.cold = scalar_part_miss<T, Base>;
  }
  return row;
}
template <Space S, unsigned Words, bool Base>
constexpr Row scalar_load_row(OperationId id) {
  Row row{Key{u16(id), 0, 0, {1, Base, 0}, 0, 0}, nullptr, nullptr};
  if constexpr (S == Space::scalar && Words <= 8) {
    row.code = scalar_load<Words, Base>;
    row.cold = scalar_miss<Words, Base>;
  }
  return row;
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::baseline
