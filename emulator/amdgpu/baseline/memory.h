//===-- emulator/amdgpu/baseline/memory.h - Stencils of loads and stores -===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included once, by stencils.cpp, in this order: holes.h, arithmetic.h,
// memory.h, control.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::baseline {
namespace {

// Memory: each access has an inline cache (jit/inline_cache.h).

/// The operands of the lane's address (access/lane_address.h).
template <bool Row, bool Base> struct StencilOperands {
  State &s;

  INLINE_MEMBER bool has(unsigned k) const { return k == 0 ? Row : Base; }
  INLINE_MEMBER u64 offset_long() const {
    return reinterpret_cast<uintptr_t>(&hole_offset);
  }
  INLINE_MEMBER u32 offset_word() const { return u32(offset_long()); }
  INLINE_MEMBER u32 lane_word(unsigned more) const {
    return FIELD(const u32, src0)[more * LANES];
  }
  INLINE_MEMBER u64 lane_long() const {
    return lane_word(0) | u64(lane_word(1)) << 32;
  }
  INLINE_MEMBER u32 scalar_word(unsigned) const {
    return *FIELD(const u32, src1);
  }
  INLINE_MEMBER u64 scalar_long(unsigned k) const {
    u64 value;
    __builtin_memcpy(&value, k ? FIELD(char, src1) : FIELD(char, src0), 8);
    return value;
  }
  INLINE_MEMBER u64 extended(u32 word) const { return word; }
  // Of all buffers, stencils access only the stack's, without an index.
  INLINE_MEMBER bool has_index() const { return false; }
  INLINE_MEMBER bool has_offset() const { return Row; }
  INLINE_MEMBER unsigned wave_shift() const { return 5 + s.last_lane / 32; }
};
template <Space S, bool Row, bool Base> INLINE u64 address_of(State &s) {
  const StencilOperands<Row, Base> operands{s};
  if constexpr (S == Space::buffer)
    return access::stack_buffer_offset(operands);
  else
    return access::lane_address<S>(operands);
}
/// Whether the buffer is the stack's.
INLINE bool is_stack_buffer(State &s) {
  u64 resource;
  __builtin_memcpy(&resource, FIELD(char, sdst), 8);
  return resource == access::STACK_BUFFER;
}
INLINE char *cached(State &s, u64 address, bool &hit) {
  const State::InlineCache &cache = *FIELD(const State::InlineCache, cache);
  hit = address - cache.begin < cache.length;
  return reinterpret_cast<char *>(address + cache.delta);
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
      good = good && is_stack_buffer(s);
    p = s.scratch + address;
  }
  if (__builtin_expect(!good, false))
    JUMP_TO(cold);
  access::LaneData<Bytes, Signed, D16>::template move<Write>(
      p, Write ? FIELD(u32, src2) : FIELD(u32, dst));
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
  using Data = access::LaneData<Bytes>;
  if constexpr (Write) {
    Data::store(s.lds + first, FIELD(const u32, src2));
    Data::store(s.lds + second, FIELD(const u32, src1));
  } else {
    u32 *d = FIELD(u32, dst);
    Data::load(s.lds + first, d);
    Data::load(s.lds + second, d + Data::words * LANES);
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
    good = good && is_stack_buffer(s);
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

template <bool Base> INLINE u64 scalar_address(State &s, unsigned bytes) {
  return access::scalar_address<Space::scalar>(StencilOperands<true, Base>{s},
                                               bytes);
}
template <unsigned Words, bool Base> void scalar_load(State &s, const Inst *) {
  bool hit;
  char *p = cached(s, scalar_address<Base>(s, Words * 4), hit);
  if (__builtin_expect(!hit, false))
    JUMP_TO(cold);
  u32 words[Words];
  __builtin_memcpy(words, p, sizeof(words));
  __builtin_memcpy(FIELD(char, dst), words, sizeof(words));
  JUMP_TO(next);
}
template <unsigned Words, bool Base> void scalar_miss(State &s, const Inst *) {
  if (baseline_fill(s, NUMBER(cache_number), scalar_address<Base>(s, Words * 4),
                    Words * 8, false))
    JUMP_TO(again);
  JUMP_TO(leave);
}
/// One T, which the other bits of the register repeat or not, as its type says.
template <typename T, bool Base> void scalar_part(State &s, const Inst *) {
  bool hit;
  char *p = cached(s, scalar_address<Base>(s, sizeof(T)), hit);
  if (__builtin_expect(!hit, false))
    JUMP_TO(cold);
  T value;
  __builtin_memcpy(&value, p, sizeof(T));
  *FIELD(u32, dst) = u32(value);
  JUMP_TO(next);
}
template <typename T, bool Base> void scalar_part_miss(State &s, const Inst *) {
  if (baseline_fill(s, NUMBER(cache_number), scalar_address<Base>(s, sizeof(T)),
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
