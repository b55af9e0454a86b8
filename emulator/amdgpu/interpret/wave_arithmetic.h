//===-- emulator/amdgpu/interpret/wave_arithmetic.h - Lanes in vectors ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a pure function of ops/ becomes a routine for the lanes of a wave: loops
// over sixteen lanes that clang vectorises. A scalar source is one value for
// all of them.
// Included once, by routines.cpp, inside the level's namespace.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

/// The loops handle this many lanes at a time.
constexpr unsigned GROUP = 16;
struct alignas(64) Words {
  u32 x[GROUP];
};
struct alignas(64) LongWords {
  u64 x[GROUP];
};
struct alignas(GROUP) Bits {
  u8 x[GROUP]; // 0 or 1
};

INLINE u32 mask_of(const Bits &bits) {
  const __m128i v = _mm_load_si128(reinterpret_cast<const __m128i *>(bits.x));
#if defined(__AVX512F__)
  return _mm_test_epi8_mask(v, v);
#else
  return u32(_mm_movemask_epi8(_mm_slli_epi16(v, 7)));
#endif
}

/// Writes the lanes that are on.
template <bool Masked>
INLINE void put_words(u32 *to, const Words &words, u32 on) {
#if defined(__AVX512F__)
  __m512i v = _mm512_load_si512(words.x);
  // A blend and a whole store. The asm keeps clang from making it a masked
  // store, after which reading the row takes longer.
  if constexpr (Masked) {
    v = _mm512_mask_blend_epi32(__mmask16(on), _mm512_loadu_si512(to), v);
    __asm__("" : "+v"(v));
  }
  _mm512_storeu_si512(to, v);
#else
  LANE_LOOP
  for (unsigned j = 0; j < GROUP; ++j) {
    const u32 write = Masked ? u32(i32(on << (31 - j)) >> 31) : ~0u;
    to[j] = (words.x[j] & write) | (to[j] & ~write);
  }
#endif
}

// Loops over a group of lanes, for values of 32 bits and of 64. width * count
// is the whole group: a loop that is left over would keep the arrays in memory.
#define GROUP_LOOP(width, count)                                               \
  _Pragma("clang loop vectorize(assume_safety) unroll(disable)")               \
      WIDTH_(vectorize_width(width)) WIDTH_(interleave_count(count))
#define WIDTH_(text) PRAGMA_(clang loop text)
#define PRAGMA_(text) _Pragma(#text)
// With vectors of 256 bits the code is longer: loops over groups are not
// unrolled.
#if defined(__AVX512F__)
#define UNROLL_GROUPS _Pragma("clang loop unroll(full)")
#define LOOP_OF_32 GROUP_LOOP(16, 1)
#define LOOP_OF_64 GROUP_LOOP(8, 2)
#else
#define UNROLL_GROUPS _Pragma("clang loop unroll(disable)")
#define LOOP_OF_32 GROUP_LOOP(8, 2)
#define LOOP_OF_64 GROUP_LOOP(4, 4)
#endif

// A register pair of a lane is one value of 64 bits in the loops.
#if defined(__AVX512F__)
INLINE void join_words(const u32 *at, LongWords &to) {
  const __m512i low = _mm512_loadu_si512(at),
                high = _mm512_loadu_si512(at + LANES);
  const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5,
                                          21, 6, 22, 7, 23),
                second = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28,
                                           13, 29, 14, 30, 15, 31);
  _mm512_store_si512(to.x, _mm512_permutex2var_epi32(low, first, high));
  _mm512_store_si512(to.x + 8, _mm512_permutex2var_epi32(low, second, high));
}
INLINE void split_words(const LongWords &from, Words &low, Words &high) {
  const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20,
                                         22, 24, 26, 28, 30),
                odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21,
                                        23, 25, 27, 29, 31);
  const __m512i a = _mm512_load_si512(from.x),
                b = _mm512_load_si512(from.x + 8);
  _mm512_store_si512(low.x, _mm512_permutex2var_epi32(a, even, b));
  _mm512_store_si512(high.x, _mm512_permutex2var_epi32(a, odd, b));
}
#else
INLINE void join_words(const u32 *at, LongWords &to) {
  LANE_LOOP
  for (unsigned j = 0; j < GROUP; ++j)
    to.x[j] = at[j] | u64(at[LANES + j]) << 32;
}
INLINE void split_words(const LongWords &from, Words &low, Words &high) {
  LANE_LOOP
  for (unsigned j = 0; j < GROUP; ++j) {
    low.x[j] = u32(from.x[j]);
    high.x[j] = u32(from.x[j] >> 32);
  }
}
#endif

/// Sign modifiers of a source of type T: (x & keep) ^ flip.
struct LongSigns {
  u64 keep, flip;
};
template <typename T> INLINE LongSigns long_signs(u32 mods, unsigned k) {
  constexpr u64 sign = u64(1) << (TYPE<T> == Type::f64 ? 63 : 31);
  return {mods & mod_abs(k) ? ~sign : ~u64(0), mods & mod_neg(k) ? sign : 0};
}

/// The routines of an operation. KeepHigh: a result of 16 bits leaves the other
/// half as it was.
template <auto F, bool KeepHigh, typename Signature = decltype(F)> struct Wave;
template <auto F, bool KeepHigh, typename R, typename... A>
struct Wave<F, KeepHigh, R (*)(A...)> {
  using Result = ResultOf<R>;
  using Value = typename Result::Value;
  static constexpr unsigned N = (0u + ... + unsigned(IS_SOURCE<A>));
  static constexpr bool has_floats = (false || ... || IS_FLOAT<A>);
  static constexpr bool has_condition =
      (false || ... || std::is_same_v<A, bool>);
  static constexpr bool is_pair =
      Result::has_value && registers_of(TYPE<Value>) == 2;
  static constexpr bool has_pairs =
      is_pair ||
      (false || ... ||
       (IS_SOURCE<A> && registers_of(TYPE<std::remove_cvref_t<A>>) == 2));
  using All = std::make_index_sequence<sizeof...(A)>;

  struct Operands {
    const u32 *row[3];
    u64 scalar[3];
    LongSigns signs[3];
    LongWords pair[3]; // of the group
  };
  /// Scalars: bit k is set if source k is a scalar.
  template <unsigned Scalars, bool Modified> struct With {
    template <typename T, size_t P>
    INLINE void read(const Inst *i, Operands &x) {
      if constexpr (IS_SOURCE<T>) {
        constexpr unsigned k = source_index<P, A...>();
        if constexpr (Scalars >> k & 1)
          x.scalar[k] = registers_of(TYPE<T>) == 2
                            ? x.row[k][0] | u64(x.row[k][1]) << 32
                            : x.row[k][0];
        if constexpr (Modified && IS_FLOAT<T>)
          x.signs[k] = long_signs<T>(i->mods, k);
      }
    }
    template <typename T, size_t P>
    INLINE void read_pair(Operands &x, unsigned base) {
      if constexpr (IS_SOURCE<T>) {
        constexpr unsigned k = source_index<P, A...>();
        if constexpr (!(Scalars >> k & 1) && registers_of(TYPE<T>) == 2)
          join_words(x.row[k] + base, x.pair[k]);
      }
    }
    template <typename T, size_t P>
    INLINE decltype(auto) argument(const Operands &x, unsigned base, unsigned j,
                                   bool condition) {
      if constexpr (IS_MODE<T>)
        return (ops::DEFAULT_MODE);
      else if constexpr (std::is_same_v<T, bool>)
        return condition;
      else if constexpr (std::is_same_v<T, ops::LaneId>)
        return ops::LaneId{base + j};
      else {
        constexpr unsigned k = source_index<P, A...>();
        u64 bits;
        if constexpr (Scalars >> k & 1)
          bits = x.scalar[k];
        else if constexpr (registers_of(TYPE<T>) == 2)
          bits = x.pair[k].x[j];
        else
          bits = x.row[k][base + j];
        if constexpr (Modified && IS_FLOAT<T>)
          bits = (bits & x.signs[k].keep) ^ x.signs[k].flip;
        return typed<T>(bits);
      }
    }
    /// Computes a group of lanes. Returns the lanes' bits of the mask, if the
    /// operation writes one.
    template <bool Masked, size_t... P>
    INLINE u32 group(std::index_sequence<P...>, Operands &x, u32 *d,
                     unsigned base, u32 on, u32 condition) {
      (read_pair<A, P>(x, base), ...);
      Words low, high;
      LongWords both;
      Bits bits;
      auto lane = [&](unsigned j) __attribute__((always_inline)) {
        const R r = F(argument<A, P>(
            x, base, j, has_condition && (condition & (1u << j)))...);
        if constexpr (Result::has_bit && !Result::has_value)
          bits.x[j] = r;
        else {
          Value value;
          if constexpr (Result::has_bit) {
            bits.x[j] = r.bit;
            value = r.value;
          } else
            value = r;
          if constexpr (is_pair)
            both.x[j] = __builtin_bit_cast(u64, value);
          else {
            u32 word = KeepHigh ? d[base + j] : 0;
            store<Value, KeepHigh>(&word, 0, value);
            low.x[j] = word;
          }
        }
      };
      if constexpr (has_pairs) {
        LOOP_OF_64
        for (unsigned j = 0; j < GROUP; ++j)
          lane(j);
      } else {
        LOOP_OF_32
        for (unsigned j = 0; j < GROUP; ++j)
          lane(j);
      }
      if constexpr (is_pair) {
        split_words(both, low, high);
        put_words<Masked>(d + LANES + base, high, on);
      }
      if constexpr (Result::has_value)
        put_words<Masked>(d + base, low, on);
      return Result::has_bit ? mask_of(bits) : 0;
    }
    template <bool Masked>
    static uintptr_t run(State &s, const Inst *i, u32 *d, const u32 *a,
                         const u32 *b, const u32 *c) {
      const u64 exec = Masked ? s.exec() : ~u64(0);
      const u64 condition = has_condition ? scalar64(s, i, i->scond) : 0;
      Operands x;
      x.row[0] = a;
      x.row[1] = b;
      x.row[2] = c;
      [&]<size_t... P>(std::index_sequence<P...>)
          __attribute__((always_inline)) {
        (read<A, P>(i, x), ...);
      }
      (All());
      u64 mask = 0;
      UNROLL_GROUPS
      for (unsigned base = 0; base < LANES; base += GROUP) {
        const u32 on = u32(exec >> base) & 0xffff;
        if (Masked && !on)
          continue;
        mask |=
            u64(group<Masked>(All(), x, d, base, on, u32(condition >> base)))
            << base;
      }
      if constexpr (Result::has_bit)
        mask_at(s, i->sdst) = mask & exec;
      return reinterpret_cast<uintptr_t>(&s);
    }
  };
};

template <auto F, bool KeepHigh, unsigned Scalars, bool Modified, bool Masked>
constexpr RoutineRow wave_row(OperationId id) {
  using W = Wave<F, KeepHigh>;
  RoutineRow row{{u16(id), Scalars, Modified, Masked}, nullptr};
  if constexpr (Scalars < 1u << W::N && (!Modified || W::has_floats))
    row.routine = W::template With<Scalars, Modified>::template run<Masked>;
  return row;
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
