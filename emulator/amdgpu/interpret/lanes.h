//===-- emulator/amdgpu/interpret/lanes.h - Loops over lanes ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a pure function of ops/ becomes a loop over lanes.
// Included once per unit inside the level's namespace, after operands.h.
// A lane's operands are all read before its results are written, and no lane
// reads another lane's: the loops are safe to vectorise whatever rows overlap.
//===----------------------------------------------------------------------===//
namespace gpuexec::emulator::amdgpu::LEVEL {

// Functions with a simpler form for common operands.

/// A simpler function with the same result while every lane's condition bit is
/// clear.
template <auto F> struct IfNever { using Type = void; };
template <> struct IfNever<ops::v_div_fmas_f64> {
  using Type = double;
  static constexpr auto function = ops::v_fma_f64;
};
template <> struct IfNever<ops::v_div_fmas_f32> {
  using Type = float;
  static constexpr auto function = ops::v_fma_f32;
};

/// A simpler function with the same result for common operands in the default
/// mode. holds() returns true if the operands of all lanes are of that kind.
template <auto F> struct Ordinarily { using Type = void; };
template <typename T> struct DivScaleCopies {
  using Type = T;
  static constexpr auto function = ops::div_scale_copy<T>;
  INLINE bool holds(State &s, const Inst *i) {
    constexpr unsigned WORDS = sizeof(T) / sizeof(u32);
    alignas(64) u32 spread[3][2 * LANES];
    const u32 *upper[3];
    for (unsigned k = 0; k < 3; ++k)
      upper[k] = rows<WORDS>(s, i, i->src[k], spread[k]) + (WORDS - 1) * LANES;
    const u32 *on = exec_rows(s); // what other lanes have does not matter
    u32 odd = 0;
    LANE_LOOP
    for (unsigned l = 0; l < LANES; ++l)
      odd |= on[l] &
             !ops::div_scale_is_copy<T>(upper[0][l], upper[1][l], upper[2][l]);
    return !odd;
  }
};
template <> struct Ordinarily<ops::v_div_scale_f32> : DivScaleCopies<float> {};
template <> struct Ordinarily<ops::v_div_scale_f64> : DivScaleCopies<double> {};
template <> struct Ordinarily<ops::v_ldexp_f64> {
  using Type = double;
  static constexpr auto function = ops::ldexp_product;
  INLINE bool holds(State &s, const Inst *i) {
    alignas(64) u32 spread[LANES];
    const u32 *n = rows<1>(s, i, i->src[1], spread);
    u32 odd = 0;
    LANE_LOOP
    for (unsigned l = 0; l < LANES; ++l)
      odd |= !ops::ldexp_is_product(i32(n[l]));
    return !odd;
  }
};

/// True for an operand type that occupies a register pair.
template <typename T>
inline constexpr bool IS_PAIR = registers_of(TYPE<T>) == 2 &&
                                !std::is_same_v<T, ops::F32x2>;

template <auto F, typename Signature = decltype(F)> struct Lanewise;
template <auto F, typename R, typename... A> struct Lanewise<F, R (*)(A...)> {
  using Result = ResultOf<R>;
  using Value = typename Result::Value;
  static constexpr unsigned N = (0u + ... + unsigned(IS_SOURCE<A>));
  static constexpr bool uses_mode = (false || ... || IS_MODE<A>);
  static constexpr bool has_condition =
      (false || ... || std::is_same_v<A, bool>);

  struct Sources {
    const u32 *at[N ? N : 1];
    u32 high[N ? N : 1];
    Signs sign[N ? N : 1];
  };
  template <typename T, size_t P>
  INLINE decltype(auto) argument(const ops::FloatMode &mode, const Sources &src,
                                 unsigned offset, unsigned lane,
                                 bool condition) {
    if constexpr (IS_MODE<T>)
      return (mode);
    else if constexpr (std::is_same_v<T, bool>)
      return condition;
    else if constexpr (std::is_same_v<T, ops::LaneId>)
      return ops::LaneId{lane};
    else {
      constexpr unsigned k = source_index<P, A...>();
      return load<T>(src.at[k] + offset, src.high[k], src.sign[k]);
    }
  }
  template <size_t... P>
  INLINE R call_with(std::index_sequence<P...>, const ops::FloatMode &mode,
                     const Sources &src, unsigned offset, unsigned lane,
                     bool condition) {
    return F(argument<A, P>(mode, src, offset, lane, condition)...);
  }
  INLINE R call(const ops::FloatMode &mode, const Sources &src, unsigned offset,
                unsigned lane, bool condition) {
    return call_with(std::make_index_sequence<sizeof...(A)>(), mode, src,
                     offset, lane, condition);
  }

  /// Rows of all sources.
  INLINE void get_rows(State &s, const Inst *i, Sources &src,
                       u32 (*spread)[2 * LANES]) {
    unsigned k = 0;
    (
        [&]() __attribute__((always_inline)) {
          if constexpr (IS_SOURCE<A>) {
            src.at[k] = rows<registers_of(TYPE<A>)>(s, i, i->src[k], spread[k]);
            src.high[k] = LANES;
            src.sign[k] = signs<A>(i->mods, k);
            ++k;
          }
        }(),
        ...);
  }

#if defined(__AVX512F__)
  // The two halves of a 64-bit operand lie in two rows. The code below combines
  // sixteen lanes at a time in arrays that the compiler keeps in registers: it
  // takes half the time of what clang makes of a plain loop.
  static constexpr unsigned BLOCK = 16;
  static constexpr bool has_pairs =
      (IS_PAIR<Value> || ... || IS_PAIR<std::remove_cvref_t<A>>);
  struct alignas(64) Unpacked {
    u64 x[BLOCK];
  };
  template <typename T, size_t P>
  INLINE void unpack(const Sources &src, unsigned base, Unpacked *to) {
    if constexpr (IS_PAIR<T>) {
      constexpr unsigned k = source_index<P, A...>();
      const u32 *at = src.at[k] + base;
      __m512i low = _mm512_loadu_si512(at),
              high = _mm512_loadu_si512(at + LANES);
      if constexpr (TYPE<T> == Type::f64) // (high & keep) ^ flip
        high = _mm512_ternarylogic_epi32(
            high, _mm512_set1_epi32(int(src.sign[k].keep)),
            _mm512_set1_epi32(int(src.sign[k].flip)), 0x6a);
      const __m512i first = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20,
                                              5, 21, 6, 22, 7, 23),
                    second = _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12,
                                               28, 13, 29, 14, 30, 15, 31);
      _mm512_store_si512(to[k].x, _mm512_permutex2var_epi32(low, first, high));
      _mm512_store_si512(to[k].x + 8,
                         _mm512_permutex2var_epi32(low, second, high));
    }
  }
  template <bool Masked>
  INLINE void pack(const u64 *from, u32 *to, __mmask16 on) {
    const __m512i even = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18,
                                           20, 22, 24, 26, 28, 30),
                  odd = _mm512_setr_epi32(1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21,
                                          23, 25, 27, 29, 31);
    __m512i a = _mm512_load_si512(from), b = _mm512_load_si512(from + 8);
    __m512i low = _mm512_permutex2var_epi32(a, even, b),
            high = _mm512_permutex2var_epi32(a, odd, b);
    if constexpr (Masked) {
      _mm512_mask_storeu_epi32(to, on, low);
      _mm512_mask_storeu_epi32(to + LANES, on, high);
    } else {
      _mm512_storeu_si512(to, low);
      _mm512_storeu_si512(to + LANES, high);
    }
  }
  template <typename T, size_t P>
  INLINE decltype(auto) block_argument(const ops::FloatMode &mode,
                                       const Sources &src,
                                       const Unpacked *pairs, unsigned base,
                                       unsigned j, bool condition) {
    if constexpr (IS_PAIR<T>)
      return __builtin_bit_cast(T, pairs[source_index<P, A...>()].x[j]);
    else
      return argument<T, P>(mode, src, base + j, base + j, condition);
  }
  template <bool KeepHigh, bool Masked, size_t... P>
  INLINE void blocks(std::index_sequence<P...>, const ops::FloatMode &mode,
                     const Sources &src, u32 *d, u64 write, u64 condition,
                     u8 *bits) {
    _Pragma("clang loop unroll(full)") for (unsigned base = 0; base < LANES;
                                            base += BLOCK) {
      Unpacked pairs[N], result;
      (unpack<A, P>(src, base, pairs), ...);
      u32 on = u32(write >> base) & 0xffff, yes = u32(condition >> base);
      // Two vectors of eight lanes. Clang must not unroll the loop first: then
      // it would not vectorise it.
      _Pragma("clang loop vectorize(assume_safety) vectorize_width(8)") _Pragma(
          "clang loop interleave_count(2) unroll(disable)") for (unsigned j = 0;
                                                                 j < BLOCK;
                                                                 ++j) {
        R r = F(block_argument<A, P>(mode, src, pairs, base, j,
                                     has_condition && (yes & (1u << j)))...);
        if constexpr (Result::has_bit && !Result::has_value)
          bits[base + j] = r;
        else {
          Value value;
          if constexpr (Result::has_bit) {
            bits[base + j] = r.bit;
            value = r.value;
          } else
            value = r;
          if constexpr (IS_PAIR<Value>)
            result.x[j] = __builtin_bit_cast(u64, value);
          else if (!Masked || (on & (1u << j)))
            store<Value, KeepHigh>(d + base + j, LANES, value);
        }
      }
      if constexpr (Result::has_value)
        if constexpr (IS_PAIR<Value>)
          pack<Masked>(result.x, d + base, __mmask16(on));
    }
  }
#else
  static constexpr bool has_pairs = false;
#endif

  /// Computes all lanes; if Masked, writes only those in `write`. Masks are
  /// read 32 lanes at a time: in a vectorised loop, the masks of single bits
  /// are then a constant vector.
  template <bool KeepHigh, bool Masked>
  INLINE void loop(const ops::FloatMode &mode, const Sources &src, u32 *d,
                   u64 write, u64 condition, u8 *bits) {
#if defined(__AVX512F__)
    // Clang vectorises a plain copy by itself.
    if constexpr (has_pairs && !std::is_same_v<R (*)(A...), u64 (*)(u64)>)
      return blocks<KeepHigh, Masked>(std::make_index_sequence<sizeof...(A)>(),
                                      mode, src, d, write, condition, bits);
#endif
    Sources c = src; // `high` is known to the compiler in this copy
    for (unsigned k = 0; k < N; ++k)
      c.high[k] = LANES;
    constexpr unsigned STEP = Masked || has_condition ? 32 : LANES;
    _Pragma("clang loop unroll(full)") for (unsigned base = 0; base < LANES;
                                            base += STEP) {
      u32 on = u32(write >> base), yes = u32(condition >> base);
      LANE_LOOP
      for (unsigned j = 0; j < STEP; ++j) {
        unsigned l = base + j;
        R r = call(mode, c, l, l, has_condition && (yes & (1u << j)));
        if constexpr (Result::has_bit && !Result::has_value)
          bits[l] = r;
        else {
          if constexpr (Result::has_bit)
            bits[l] = r.bit;
          if (!Masked || (on & (1u << j))) {
            if constexpr (Result::has_bit)
              store<Value, KeepHigh>(d + l, LANES, r.value);
            else
              store<Value, KeepHigh>(d + l, LANES, r);
          }
        }
      }
    }
  }
  /// The loop in another mode than the default one. It goes lane by lane,
  /// because functions of ops/ then call others that are not inlined.
  template <bool KeepHigh>
  [[gnu::noinline, gnu::cold]] static void
  loop_in_mode(const ops::FloatMode &mode, const Sources &src, u32 *d,
               u64 write, u64 condition, u8 *bits) {
    for (unsigned l = 0; l < LANES; ++l) {
      const R r = lane_in_mode(mode, src, l, l, condition >> l & 1);
      if constexpr (Result::has_bit && !Result::has_value)
        bits[l] = r;
      else {
        if constexpr (Result::has_bit)
          bits[l] = r.bit;
        if (!(write >> l & 1))
          continue;
        if constexpr (Result::has_bit)
          store<Value, KeepHigh>(d + l, LANES, r.value);
        else
          store<Value, KeepHigh>(d + l, LANES, r);
      }
    }
  }

  template <bool KeepHigh, bool Masked>
  static void vector(State &s, const Inst *i) {
    if constexpr (!std::is_same_v<typename IfNever<F>::Type, void>) {
      if (__builtin_expect(s.default_mode && !scalar64(s, i, i->scond), true))
          [[clang::musttail]]
        return Lanewise<IfNever<F>::function>::template vector<KeepHigh,
                                                               Masked>(s, i);
    }
    if constexpr (!std::is_same_v<typename Ordinarily<F>::Type, void>) {
      if (s.default_mode && !i->mods && Ordinarily<F>::holds(s, i))
          [[clang::musttail]]
        return Lanewise<Ordinarily<F>::function>::template vector<KeepHigh,
                                                                  Masked>(s, i);
    }
    alignas(64) u32 spread[N ? N : 1][2 * LANES];
    alignas(64) u8 bits[LANES];
    Sources src;
    get_rows(s, i, src, spread);
    u64 condition = 0;
    if constexpr (has_condition)
      condition = scalar64(s, i, i->scond);
    u64 write = s.exec();
    constexpr bool masked = Masked && Result::has_value;
    u32 *d = Result::has_value ? row(s, i->dst) : nullptr;
    if constexpr (uses_mode) {
      if (__builtin_expect(s.default_mode, true))
        loop<KeepHigh, masked>(ops::DEFAULT_MODE, src, d, write, condition,
                               bits);
      else
        loop_in_mode<KeepHigh>(s.mode, src, d, write, condition, bits);
    } else
      loop<KeepHigh, masked>(ops::DEFAULT_MODE, src, d, write, condition, bits);
    if constexpr (Result::has_bit) {
      u64 mask = pack_mask(bits);
      mask_at(s, i->sdst) = Masked ? mask & s.exec() : mask;
    }
    NEXT(s, i);
  }

  template <bool KeepHigh> static void one(State &s, const Inst *i) {
    Sources src;
    {
      unsigned k = 0;
      (
          [&]() __attribute__((always_inline)) {
            if constexpr (IS_SOURCE<A>) {
              Single x = single(s, i, i->src[k]);
              src.at[k] = x.at;
              src.high[k] = x.high;
              src.sign[k] = signs<A>(i->mods, k);
              ++k;
            }
          }(),
          ...);
    }
    unsigned lane = s.only_lane();
    bool condition = false;
    if constexpr (has_condition)
      condition = scalar64(s, i, i->scond) >> lane & 1;
    R r;
    if constexpr (uses_mode) {
      if (__builtin_expect(s.default_mode, true))
        r = call(ops::DEFAULT_MODE, src, 0, lane, condition);
      else
        r = lane_in_mode(s.mode, src, 0, lane, condition);
    } else
      r = call(ops::DEFAULT_MODE, src, 0, lane, condition);
    if constexpr (Result::has_bit && !Result::has_value)
      mask_at(s, i->sdst) = u64(r) << lane;
    else {
      u32 *d = row(s, i->dst) + lane;
      if constexpr (Result::has_bit) {
        store<Value, KeepHigh>(d, LANES, r.value);
        mask_at(s, i->sdst) = u64(r.bit) << lane;
      } else
        store<Value, KeepHigh>(d, LANES, r);
    }
    NEXT(s, i);
  }
  [[gnu::noinline, gnu::cold]] static R
  lane_in_mode(const ops::FloatMode &mode, const Sources &src, unsigned offset,
               unsigned lane, bool condition) {
    return call(mode, src, offset, lane, condition);
  }
};

static void skip(State &s, const Inst *i) { NEXT(s, i); }

/// The handlers of a VALU function.
template <auto F, bool KeepHigh> constexpr OperationHandlers lane_handlers() {
  using L = Lanewise<F>;
  OperationHandlers op;
  op.fn[SOME] = L::template vector<KeepHigh, true>;
  if constexpr (L::Result::has_value)
    op.fn[FULL] = L::template vector<KeepHigh, false>;
  else // a mask alone: no row is written
    op.fn[FULL] = op.fn[SOME];
  op.fn[ONE] = L::template one<KeepHigh>;
  op.fn[NONE] = L::Result::has_bit ? op.fn[SOME] : skip;
  return op;
}
/// The handlers of `plain`, and `saturating`'s for the integer clamp bit.
constexpr OperationHandlers with_saturating(OperationHandlers plain,
                                            OperationHandlers saturating) {
  for (unsigned k = 0; k < SHAPES; ++k)
    plain.saturating[k] = saturating.fn[k];
  return plain;
}
/// The same handler for every shape of EXEC; `none`, if given, for EXEC = 0.
constexpr OperationHandlers every_shape(Handler any, Handler none = nullptr) {
  OperationHandlers op;
  for (Handler &fn : op.fn)
    fn = any;
  if (none)
    op.fn[NONE] = none;
  return op;
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
