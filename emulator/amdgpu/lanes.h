//===-- emulator/amdgpu/lanes.h - Operands and loops over lanes -*- C++ -*-===//
// How a handler reaches its operands and how a pure function of ops/ becomes a
// loop over lanes. Included only by the handlers, once per x86-64 level, inside
// the namespace LEVEL: nothing here may be shared between levels.
// A lane's operands are all read before its results are written, and no lane
// reads another lane's: the loops are safe to vectorise whatever rows overlap.
//===----------------------------------------------------------------------===//
// No include guard on purpose of the namespace; included once per unit.

#define NEXT(s, i)                                                             \
  do {                                                                         \
    const Inst *next_ = (i) + 1;                                               \
    [[clang::musttail]] return next_->fn[(s).shape](s, next_);                 \
  } while (0)
#define LANE_LOOP _Pragma("clang loop vectorize(assume_safety)")
#define INLINE [[gnu::always_inline]] static inline

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

/// The rows of an operand; a scalar is spread over `spread` first.
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

/// The only lane's (or scalar) value; `high`: distance of the upper half.
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
/// One lane of any operand, for steps that are not worth a vector loop.
INLINE u32 lane32(State &s, const Inst *i, Operand o, unsigned lane) {
  return o & ROW ? row(s, o)[lane] : scalar32(s, i, o);
}
INLINE u64 lane64(State &s, const Inst *i, Operand o, unsigned lane) {
  return o & ROW ? row(s, o)[lane] | u64(row(s, o)[LANES + lane]) << 32
                 : scalar64(s, i, o);
}

// Types.

template <typename T> inline constexpr Type TYPE = Type::none;
template <> inline constexpr Type TYPE<u8> = Type::u8;
template <> inline constexpr Type TYPE<u16> = Type::u16;
template <> inline constexpr Type TYPE<i16> = Type::u16;
template <> inline constexpr Type TYPE<ops::F16> = Type::f16;
template <> inline constexpr Type TYPE<u32> = Type::u32;
template <> inline constexpr Type TYPE<i32> = Type::u32;
template <> inline constexpr Type TYPE<float> = Type::f32;
template <> inline constexpr Type TYPE<u64> = Type::u64;
template <> inline constexpr Type TYPE<i64> = Type::u64;
template <> inline constexpr Type TYPE<double> = Type::f64;
template <> inline constexpr Type TYPE<ops::P16> = Type::p16;
template <> inline constexpr Type TYPE<ops::F32x2> = Type::u64;

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

/// The value and the mask bit of whatever a function returned.
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

// A pure function over lanes.

/// What an operation comes to when its condition holds in no lane.
template <auto F> struct IfNever {
  using Type = void;
};
template <> struct IfNever<ops::v_div_fmas_f64> {
  using Type = double;
  static constexpr auto function = ops::v_fma_f64;
};
template <> struct IfNever<ops::v_div_fmas_f32> {
  using Type = float;
  static constexpr auto function = ops::v_fma_f32;
};

template <typename A>
inline constexpr bool IS_MODE = std::is_same_v<A, const ops::FloatMode &>;
/// Takes a register pair.
template <typename T>
inline constexpr bool IS_PAIR =
    registers_of(TYPE<T>) == 2 && !std::is_same_v<T, ops::F32x2>;
template <typename A>
inline constexpr bool IS_SOURCE =
    !IS_MODE<A> && !std::is_same_v<A, bool> && !std::is_same_v<A, ops::LaneId>;

template <auto F, typename Signature = decltype(F)> struct Lanewise;
template <auto F, typename R, typename... A> struct Lanewise<F, R (*)(A...)> {
  using Result = ResultOf<R>;
  using Value = typename Result::Value;
  static constexpr unsigned N = (0u + ... + unsigned(IS_SOURCE<A>));
  static constexpr bool uses_mode = (false || ... || IS_MODE<A>);
  static constexpr bool has_condition =
      (false || ... || std::is_same_v<A, bool>);

  template <size_t P> static constexpr unsigned source_index() {
    constexpr bool is_source[] = {IS_SOURCE<A>...};
    unsigned k = 0;
    for (size_t q = 0; q < P; ++q)
      k += is_source[q];
    return k;
  }
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
      constexpr unsigned k = source_index<P>();
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

  template <typename Source> static constexpr void fill_types(Type *types) {
    unsigned k = 0;
    ((IS_SOURCE<A> ? void(types[k++] = TYPE<A>) : void()), ...);
  }
  static constexpr void source_types(Type *types) { fill_types<void>(types); }

  template <unsigned K, typename T>
  static constexpr unsigned registers = registers_of(TYPE<T>);

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
  // 64-bit operands lie in two rows. Clang's own way of putting the halves
  // together takes twice the time: sixteen lanes at a time are unpacked here
  // into arrays that never reach memory.
  static constexpr unsigned BLOCK = 16;
  static constexpr bool has_pairs =
      (IS_PAIR<Value> || ... || IS_PAIR<std::remove_cvref_t<A>>);
  struct alignas(64) Unpacked {
    u64 x[BLOCK];
  };
  template <typename T, size_t P>
  INLINE void unpack(const Sources &src, unsigned base, Unpacked *to) {
    if constexpr (IS_PAIR<T>) {
      constexpr unsigned k = source_index<P>();
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
      return __builtin_bit_cast(T, pairs[source_index<P>()].x[j]);
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
      // Two vectors of eight: unrolled before it is vectorised it would never
      // be.
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

  /// All lanes, or those in `write`. Masks are taken 32 lanes at a time, so
  /// that a lane's bit is a constant of a vector.
  template <bool KeepHigh, bool Masked>
  INLINE void loop(const ops::FloatMode &mode, const Sources &src, u32 *d,
                   u64 write, u64 condition, u8 *bits) {
#if defined(__AVX512F__)
    // A plain copy is best left to the compiler.
    if constexpr (has_pairs && !std::is_same_v<R (*)(A...), u64 (*)(u64)>)
      return blocks<KeepHigh, Masked>(std::make_index_sequence<sizeof...(A)>(),
                                      mode, src, d, write, condition, bits);
#endif
    Sources c = src; // so that the compiler sees constants
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
  template <bool KeepHigh, bool Masked>
  [[gnu::noinline]] static void
  loop_in_mode(const ops::FloatMode &mode, const Sources &src, u32 *d,
               u64 write, u64 condition, u8 *bits) {
    loop<KeepHigh, Masked>(mode, src, d, write, condition, bits);
  }

  template <bool KeepHigh, bool Masked>
  static void vector(State &s, const Inst *i) {
    if constexpr (!std::is_same_v<typename IfNever<F>::Type, void>) {
      if (__builtin_expect(s.default_mode && !scalar64(s, i, i->scond), true))
          [[clang::musttail]]
        return Lanewise<IfNever<F>::function>::template vector<KeepHigh,
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
        loop_in_mode<KeepHigh, masked>(s.mode, src, d, write, condition, bits);
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
        r = one_in_mode(s.mode, src, lane, condition);
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
  [[gnu::noinline]] static R one_in_mode(const ops::FloatMode &mode,
                                         const Sources &src, unsigned lane,
                                         bool condition) {
    return call(mode, src, 0, lane, condition);
  }
};

static void skip(State &s, const Inst *i) { NEXT(s, i); }

/// Table line of a VALU function.
template <auto F, bool KeepHigh, bool Tied>
constexpr Operation valu_operation(const char *name, Form form) {
  using L = Lanewise<F>;
  Operation op;
  op.name = name;
  op.form = form;
  op.sources = L::N;
  L::source_types(op.source);
  op.result = L::Result::has_value ? TYPE<typename L::Value> : Type::none;
  op.tied = Tied;
  op.condition = L::has_condition;
  op.writes_mask = L::Result::has_bit;
  op.keep_high = KeepHigh;
  op.fn[FULL] = L::template vector<KeepHigh, false>;
  op.fn[SOME] = L::template vector<KeepHigh, true>;
  op.fn[ONE] = L::template one<KeepHigh>;
  op.fn[NONE] = L::Result::has_bit ? op.fn[SOME] : skip;
  return op;
}
template <auto F, auto Saturating, bool KeepHigh>
constexpr Operation valu_operation_sat(const char *name) {
  Operation op = valu_operation<F, KeepHigh, false>(name, Form::valu);
  Operation sat = valu_operation<Saturating, KeepHigh, false>(name, Form::valu);
  for (unsigned k = 0; k < SHAPES; ++k)
    op.saturating[k] = sat.fn[k];
  return op;
}

// Scalar ALU.

template <auto F, typename Signature = decltype(F)> struct Scalar;
template <auto F, typename R, typename... A> struct Scalar<F, R (*)(A...)> {
  static constexpr unsigned N = (0u + ... + unsigned(!std::is_same_v<A, bool>));
  template <typename T>
  INLINE T argument(State &s, const Inst *i, unsigned &k) {
    if constexpr (std::is_same_v<T, bool>)
      return s.scc;
    else if constexpr (sizeof(T) == 8)
      return T(scalar64(s, i, i->src[k++]));
    else
      return T(scalar32(s, i, i->src[k++]));
  }
  template <typename T> INLINE void put(State &s, const Inst *i, T value) {
    __builtin_memcpy(reinterpret_cast<char *>(&s) + i->dst, &value, sizeof(T));
  }
  template <bool WritesExec> static void run(State &s, const Inst *i) {
    unsigned k = 0;
    // Braces: the arguments are evaluated in order.
    std::tuple<A...> arguments{argument<A>(s, i, k)...};
    R r = std::apply([](A... a)
                         __attribute__((always_inline)) { return F(a...); },
                     arguments);
    if constexpr (std::is_same_v<R, ops::Scc>)
      s.scc = r.scc;
    else if constexpr (requires { r.scc; }) {
      put(s, i, r.value);
      s.scc = r.scc;
    } else
      put(s, i, r);
    if constexpr (WritesExec)
      s.exec_changed();
    NEXT(s, i);
  }
};
template <auto F, bool Tied>
constexpr Operation scalar_operation(const char *name) {
  using S = Scalar<F>;
  Operation op;
  op.name = name;
  op.form = Form::salu;
  op.sources = S::N;
  op.tied = Tied;
  for (unsigned k = 0; k < SHAPES; ++k)
    op.fn[k] = S::template run<false>;
  op.writes_exec = S::template run<true>;
  return op;
}
template <auto F, bool Save> static void exec_logic(State &s, const Inst *i) {
  u64 exec = s.exec();
  auto r = F(scalar64(s, i, i->src[0]), exec);
  mask_at(s, i->dst) = Save ? exec : r.value;
  s.mask(EXEC) = r.value;
  s.scc = r.scc;
  s.exec_changed();
  NEXT(s, i);
}
template <auto F, bool Save>
constexpr Operation exec_operation(const char *name) {
  Operation op;
  op.name = name;
  op.form = Form::saveexec;
  op.sources = 1;
  for (unsigned k = 0; k < SHAPES; ++k)
    op.fn[k] = exec_logic<F, Save>;
  return op;
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
