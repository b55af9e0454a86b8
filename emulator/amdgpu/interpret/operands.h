//===-- emulator/amdgpu/interpret/operands.h - Of a handler -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a handler reaches its operands, and what each type looks like in a
// register. Included only by the handlers, once per x86-64 level, inside the
// namespace LEVEL: nothing here may be shared between levels.
//===----------------------------------------------------------------------===//
// No include guard: each unit includes it once, inside its own namespace.

#define NEXT(s, i)                                                             \
  do {                                                                         \
    const Inst *next_ = (i) + 1;                                               \
    [[clang::musttail]] return next_->fn[(s).shape](s, next_);                 \
  } while (0)
#define LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#define INLINE [[gnu::always_inline]] static inline
#define INLINE_MEMBER [[gnu::always_inline]]

namespace gpuexec::emulator::amdgpu::LEVEL {

// Lane masks as bytes and as rows.

/// Bit l = bytes[l] (0 or 1).
INLINE u64 pack_mask(const u8 *bytes) {
#if defined(__AVX512BW__)
  __m512i v = _mm512_load_si512(bytes);
  return _mm512_test_epi8_mask(v, v);
#else
  u64 mask = 0;
  for (unsigned k = 0; k < 4; ++k) {
    __m128i v = _mm_load_si128(reinterpret_cast<const __m128i *>(bytes) + k);
    mask |= u64(u32(_mm_movemask_epi8(_mm_slli_epi16(v, 7)))) << (16 * k);
  }
  return mask;
#endif
}

/// EXEC as a row: ~0 for each lane that is on, else 0.
INLINE const u32 *exec_rows(State &s) {
  if (!s.mask_valid) {
    u64 exec = s.exec();
#if defined(__AVX512F__)
    for (unsigned k = 0; k < 4; ++k)
      _mm512_store_si512(
          s.exec_rows + 16 * k,
          _mm512_maskz_set1_epi32(__mmask16(exec >> (16 * k)), -1));
#else
    for (unsigned base = 0; base < LANES; base += 32) {
      u32 on = u32(exec >> base);
      for (unsigned j = 0; j < 32; ++j)
        s.exec_rows[base + j] = u32(i32(on << (31 - j)) >> 31);
    }
#endif
    s.mask_valid = true;
  }
  return s.exec_rows;
}

// Operands.

INLINE const char *address(State &s, const Inst *i, Operand o) {
  return o == LITERAL ? reinterpret_cast<const char *>(&i->imm)
                      : reinterpret_cast<const char *>(&s) + (o & ~ROW);
}
INLINE u32 *row(State &s, Operand o) {
  return reinterpret_cast<u32 *>(reinterpret_cast<char *>(&s) + (o & ~ROW));
}
INLINE u32 scalar32(State &s, const Inst *i, Operand o) {
  u32 value;
  __builtin_memcpy(&value, address(s, i, o), 4);
  return value;
}
INLINE u64 scalar64(State &s, const Inst *i, Operand o) {
  u64 value;
  __builtin_memcpy(&value, address(s, i, o), 8);
  return value;
}
INLINE u64 &mask_at(State &s, Operand o) {
  return *reinterpret_cast<u64 *>(reinterpret_cast<char *>(&s) + o);
}

/// The rows of a vector operand, or `spread` after a scalar was copied to all
/// of its lanes.
template <unsigned Registers>
INLINE const u32 *rows(State &s, const Inst *i, Operand o, u32 *spread) {
  if (o & ROW)
    return row(s, o);
  const char *from = address(s, i, o);
  u32 low;
  __builtin_memcpy(&low, from, 4);
  for (unsigned l = 0; l < LANES; ++l)
    spread[l] = low;
  if constexpr (Registers == 2) {
    u32 high;
    __builtin_memcpy(&high, from + 4, 4);
    for (unsigned l = 0; l < LANES; ++l)
      spread[LANES + l] = high;
  }
  return spread;
}

/// The value of a scalar or of the only active lane. `high`: the distance of
/// its upper half in words.
struct Single {
  const u32 *at;
  u32 high;
};
INLINE Single single(State &s, const Inst *i, Operand o) {
  const char *from = address(s, i, o);
  bool is_row = o & ROW;
  return {reinterpret_cast<const u32 *>(from + (is_row ? s.lane4 : 0)),
          is_row ? LANES : 1};
}
/// One lane's value of a vector or scalar operand.
INLINE u32 lane32(State &s, const Inst *i, Operand o, unsigned lane) {
  return o & ROW ? row(s, o)[lane] : scalar32(s, i, o);
}
INLINE u64 lane64(State &s, const Inst *i, Operand o, unsigned lane) {
  return o & ROW ? row(s, o)[lane] | u64(row(s, o)[LANES + lane]) << 32
                 : scalar64(s, i, o);
}

// Types.

/// Sign modifiers as masks for a source of type T: (x & keep) ^ flip on its
/// uppermost 32 (16) bits.
struct Signs {
  u32 keep, flip;
};
template <typename T> INLINE Signs signs(u32 mods, unsigned k) {
  u32 sign = TYPE<T> == Type::f16 ? 0x8000u : 0x80000000u;
  return {mods & mod_abs(k) ? ~sign : ~0u, mods & mod_neg(k) ? sign : 0u};
}

template <typename T>
INLINE T load(const u32 *at, u32 high, [[maybe_unused]] Signs signs) {
  constexpr Type type = TYPE<T>;
  static_assert(type != Type::none);
  if constexpr (type == Type::f64) {
    u32 upper = (at[high] & signs.keep) ^ signs.flip;
    return ops::f64(at[0] | u64(upper) << 32);
  } else if constexpr (type == Type::f32)
    return ops::f32((at[0] & signs.keep) ^ signs.flip);
  else if constexpr (type == Type::f16)
    return ops::f16((at[0] & signs.keep) ^ signs.flip);
  else if constexpr (type == Type::p16)
    return ops::P16{at[0]};
  else if constexpr (std::is_same_v<T, ops::F32x2>)
    return ops::F32x2{ops::f32(at[0]), ops::f32(at[high])};
  else if constexpr (type == Type::u64)
    return T(at[0] | u64(at[high]) << 32);
  else
    return T(at[0]);
}

template <typename T, bool KeepHigh>
INLINE void store(u32 *at, u32 high, T value) {
  constexpr Type type = TYPE<T>;
  static_assert(type != Type::none);
  if constexpr (std::is_same_v<T, ops::F32x2>) {
    at[0] = ops::bits_of(value.low);
    at[high] = ops::bits_of(value.high);
  } else if constexpr (type == Type::u64 || type == Type::f64) {
    u64 bits = __builtin_bit_cast(u64, value);
    at[0] = u32(bits);
    at[high] = u32(bits >> 32);
  } else if constexpr (type == Type::u16 || type == Type::f16) {
    u32 bits = __builtin_bit_cast(u16, value);
    at[0] = KeepHigh ? (at[0] & 0xffff0000u) | bits : bits;
  } else if constexpr (type == Type::u8)
    at[0] = (at[0] & 0xffffff00u) | value;
  else
    at[0] = __builtin_bit_cast(u32, value);
}

/// The kinds of parameters of a function of ops/ (ops/types.h).
template <typename A>
inline constexpr bool IS_MODE = std::is_same_v<A, const ops::FloatMode &>;
template <typename A>
inline constexpr bool IS_SOURCE =
    !IS_MODE<A> && !std::is_same_v<A, bool> && !std::is_same_v<A, ops::LaneId>;
/// How many of the first P parameters are sources.
template <size_t P, typename... A> consteval unsigned source_index() {
  constexpr bool is_source[] = {IS_SOURCE<A>...};
  unsigned k = 0;
  for (size_t q = 0; q < P; ++q)
    k += is_source[q];
  return k;
}

/// Splits what a function of ops/ returns into the value and the mask bit.
template <typename R> struct ResultOf {
  using Value = R;
  static constexpr bool has_value = true, has_bit = false;
  static R value(const R &r) { return r; }
};
template <typename T> struct ResultOf<ops::WithBit<T>> {
  using Value = T;
  static constexpr bool has_value = true, has_bit = true;
};
template <> struct ResultOf<bool> {
  using Value = u32;
  static constexpr bool has_value = false, has_bit = true;
};

// Calls.

/// Records the calls that have not returned, for reports. A return may end
/// several of them at once.
INLINE void note_call(State &s, u64 from) {
  u32 depth = s.call_depth++;
  s.calls[depth % CALLS] = remembered_call(from, depth);
}
INLINE void note_return(State &s, u64 to) {
  for (u32 depth = s.call_depth, tries = 0; depth && tries < 4;
       --depth, ++tries)
    if (s.calls[(depth - 1) % CALLS] == remembered_call(to, depth - 1)) {
      s.call_depth = depth - 1;
      return;
    }
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
