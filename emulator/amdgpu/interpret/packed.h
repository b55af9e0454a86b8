//===-- emulator/amdgpu/interpret/packed.h - Packed and mixed precision ---===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// VOP3P: functions of one half (or of one register of a pair) applied to both,
// and the instructions whose sources are halves or floats as op_sel_hi says.
// Included once per unit inside the level's namespace, after lanes.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

// VOP3P.

template <auto F, typename Signature = decltype(F)> struct Packed;
template <auto F, typename R, typename... A> struct Packed<F, R (*)(A...)> {
  using L = Lanewise<F>;
  static constexpr unsigned N = L::N;
  static constexpr bool is32 = registers_of(TYPE<R>) == 1 && !is_half(TYPE<R>);

  struct Half {
    u32 shift[N]; // 16-bit: bits; 32-bit: rows to add
    u32 flip[N];
  };
  INLINE Half half_of(u32 mods, bool upper) {
    Half h;
    for (unsigned k = 0; k < N; ++k) {
      bool high = mods & (upper ? mod_opsel_hi(k) : mod_opsel(k));
      bool neg = mods & (upper ? mod_abs(k) : mod_neg(k)); // neg_hi : neg_lo
      h.shift[k] = high ? (is32 ? 1 : 16) : 0;
      h.flip[k] = neg ? (is32 ? 0x80000000u : 0x8000u) : 0;
    }
    return h;
  }
  template <typename T, size_t P>
  INLINE decltype(auto) argument(const ops::FloatMode &mode,
                                 const u32 *const *at, const u32 *high,
                                 const Half &h, unsigned l) {
    if constexpr (IS_MODE<T>)
      return (mode);
    else {
      constexpr unsigned k = source_index<P, A...>();
      if constexpr (is32) {
        u32 bits = at[k][l + h.shift[k] * high[k]];
        if constexpr (TYPE<T> == Type::f32)
          return ops::f32(bits ^ h.flip[k]);
        else
          return T(bits);
      } else {
        u32 bits = at[k][l] >> h.shift[k];
        if constexpr (TYPE<T> == Type::f16)
          return ops::f16(bits ^ h.flip[k]);
        else
          return T(bits);
      }
    }
  }
  template <size_t... P>
  INLINE R call(std::index_sequence<P...>, const ops::FloatMode &mode,
                const u32 *const *at, const u32 *high, const Half &h,
                unsigned l) {
    return F(argument<A, P>(mode, at, high, h, l)...);
  }
  INLINE void lane(const ops::FloatMode &mode, const u32 *const *at,
                   const u32 *high, const Half &lo, const Half &hi, unsigned l,
                   u32 *d, unsigned dl) {
    constexpr std::make_index_sequence<sizeof...(A)> seq;
    R low = call(seq, mode, at, high, lo, l),
      up = call(seq, mode, at, high, hi, l);
    if constexpr (is32) {
      d[dl] = __builtin_bit_cast(u32, low);
      d[dl + LANES] = __builtin_bit_cast(u32, up);
    } else
      d[dl] = __builtin_bit_cast(u16, low) | u32(__builtin_bit_cast(u16, up))
                                                 << 16;
  }
  INLINE void all_lanes(const ops::FloatMode &mode, const u32 *const *at,
                        const Half &lo, const Half &hi, u32 *d,
                        const u32 *write) {
    u32 high[N];
    for (unsigned k = 0; k < N; ++k)
      high[k] = LANES;
    if (write) {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l)
        if (write[l])
          lane(mode, at, high, lo, hi, l, d, l);
    } else {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l)
        lane(mode, at, high, lo, hi, l, d, l);
    }
  }
  [[gnu::noinline, gnu::cold]] static void
  lane_in_mode(const ops::FloatMode &mode, const u32 *const *at,
               const u32 *high, const Half &lo, const Half &hi, unsigned l,
               u32 *d, unsigned dl) {
    lane(mode, at, high, lo, hi, l, d, dl);
  }
  [[gnu::noinline, gnu::cold]] static void
  all_lanes_in_mode(const ops::FloatMode &mode, const u32 *const *at,
                    const Half &lo, const Half &hi, u32 *d, const u32 *write) {
    u32 high[N];
    for (unsigned k = 0; k < N; ++k)
      high[k] = LANES;
    for (unsigned l = 0; l < LANES; ++l)
      if (!write || write[l])
        lane_in_mode(mode, at, high, lo, hi, l, d, l);
  }
  template <bool Masked> static void vector(State &s, const Inst *i) {
    alignas(64) u32 spread[N][2 * LANES];
    const u32 *at[N];
    for (unsigned k = 0; k < N; ++k)
      at[k] = rows < is32 ? 2 : 1 > (s, i, i->src[k], spread[k]);
    Half lo = half_of(i->mods, false), hi = half_of(i->mods, true);
    const u32 *write = Masked ? exec_rows(s) : nullptr;
    if (!L::uses_mode || __builtin_expect(s.default_mode, true))
      all_lanes(ops::DEFAULT_MODE, at, lo, hi, row(s, i->dst), write);
    else
      all_lanes_in_mode(s.mode, at, lo, hi, row(s, i->dst), write);
    NEXT(s, i);
  }
  static void one(State &s, const Inst *i) {
    const u32 *at[N];
    u32 high[N];
    for (unsigned k = 0; k < N; ++k) {
      Single x = single(s, i, i->src[k]);
      at[k] = x.at;
      high[k] = x.high;
    }
    Half lo = half_of(i->mods, false), hi = half_of(i->mods, true);
    if (!L::uses_mode || __builtin_expect(s.default_mode, true))
      lane(ops::DEFAULT_MODE, at, high, lo, hi, 0, row(s, i->dst),
           s.only_lane());
    else
      lane_in_mode(s.mode, at, high, lo, hi, 0, row(s, i->dst), s.only_lane());
    NEXT(s, i);
  }
};

template <auto F> constexpr OperationHandlers packed_handlers() {
  using P = Packed<F>;
  OperationHandlers op;
  op.fn[FULL] = P::template vector<false>;
  op.fn[SOME] = P::template vector<true>;
  op.fn[ONE] = P::one;
  op.fn[NONE] = skip;
  return op;
}

// Mixed precision: op_sel_hi says that a source is a half, op_sel which one.

template <auto F, bool High, typename Signature = decltype(F)> struct Mix;
template <auto F, bool High, typename R>
struct Mix<F, High, R (*)(const ops::FloatMode &, float, float, float)> {
  INLINE void lane(State &s, const Inst *i, const u32 *const *at, unsigned l,
                   u32 *d) {
    float x[3];
    for (unsigned k = 0; k < 3; ++k) {
      u32 raw = at[k][l];
      float v =
          i->mods & mod_opsel_hi(k)
              ? ops::widen(ops::f16(i->mods & mod_opsel(k) ? raw >> 16 : raw))
              : ops::f32(raw);
      if (i->mods & mod_abs(k))
        v = ops::apply_abs(v);
      x[k] = i->mods & mod_neg(k) ? ops::apply_neg(v) : v;
    }
    R r = F(s.mode, x[0], x[1], x[2]);
    if (i->mods & MOD_CLAMP)
      r = ops::apply_clamp(s.mode, r);
    if constexpr (std::is_same_v<R, float>)
      *d = ops::bits_of(r);
    else
      *d = High ? (*d & 0xffff) | u32(r.bits) << 16
                : (*d & 0xffff0000u) | r.bits;
  }
  static void many(State &s, const Inst *i) {
    alignas(64) u32 spread[3][2 * LANES];
    const u32 *at[3];
    for (unsigned k = 0; k < 3; ++k)
      at[k] = rows<1>(s, i, i->src[k], spread[k]);
    u32 *d = row(s, i->dst);
    u64 exec = s.exec();
    for (unsigned l = 0; l < LANES; ++l)
      if (exec >> l & 1)
        lane(s, i, at, l, d + l);
    NEXT(s, i);
  }
  static void one(State &s, const Inst *i) {
    const u32 *at[3];
    for (unsigned k = 0; k < 3; ++k)
      at[k] = single(s, i, i->src[k]).at;
    lane(s, i, at, 0, row(s, i->dst) + s.only_lane());
    NEXT(s, i);
  }
};
template <auto F, bool High> constexpr OperationHandlers mix_handlers() {
  OperationHandlers op = every_shape(Mix<F, High>::many, skip);
  op.fn[ONE] = Mix<F, High>::one;
  return op;
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
