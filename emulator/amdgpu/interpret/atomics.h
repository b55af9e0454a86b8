//===-- emulator/amdgpu/interpret/atomics.h - Atomics and DS pairs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Read-modify-write on host memory with host atomics, visible to the host and
// to other waves at once; and DS instructions that make two accesses. Included
// once per unit inside the level's namespace, after memory_rows.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

// Atomics: real ones on host memory, visible to the host and to other waves.

template <typename T> INLINE T bits_to(u64 bits) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(T, bits);
  else
    return __builtin_bit_cast(T, u32(bits));
}
template <typename T> INLINE u64 to_bits(T value) {
  if constexpr (sizeof(T) == 8)
    return __builtin_bit_cast(u64, value);
  else
    return __builtin_bit_cast(u32, value);
}

/// The new value in memory, for operations that the host has no instruction
/// for.
template <AtomicOperation Op, typename T> INLINE T updated(T old, T x) {
  using enum AtomicOperation;
  if constexpr (Op == rsub)
    return T(x - old);
  else if constexpr (Op == min)
    return x < old ? x : old;
  else if constexpr (Op == max)
    return x > old ? x : old;
  else if constexpr (Op == inc)
    return old >= x ? T(0) : T(old + 1);
  else if constexpr (Op == dec)
    return (old == 0 || old > x) ? x : T(old - 1);
  else if constexpr (Op == float_add)
    return old + x;
  // IEEE minNum and maxNum: a number beats a NaN.
  else if constexpr (Op == float_min)
    return old != old ? x : x != x ? old : x < old ? x : old;
  else if constexpr (Op == float_max)
    return old != old ? x : x != x ? old : x > old ? x : old;
  else if constexpr (Op == packed_add_f16)
    return amdgpu::packed_add_f16(old, x);
  else {
    static_assert(Op == packed_add_bf16);
    return amdgpu::packed_add_bf16(old, x);
  }
}

/// One read-modify-write of the T at `p`, sequentially consistent.
template <AtomicOperation Op, typename T> INLINE T rmw(T *p, T x) {
  using enum AtomicOperation;
  using Raw = std::conditional_t<sizeof(T) == 8, u64, u32>;
  Raw *raw = reinterpret_cast<Raw *>(p);
  if constexpr (Op == swap)
    return __builtin_bit_cast(
        T,
        __atomic_exchange_n(raw, __builtin_bit_cast(Raw, x), __ATOMIC_SEQ_CST));
  else if constexpr (Op == add)
    return T(__atomic_fetch_add(raw, Raw(x), __ATOMIC_SEQ_CST));
  else if constexpr (Op == sub)
    return T(__atomic_fetch_sub(raw, Raw(x), __ATOMIC_SEQ_CST));
  else if constexpr (Op == logic_and)
    return T(__atomic_fetch_and(raw, Raw(x), __ATOMIC_SEQ_CST));
  else if constexpr (Op == logic_or)
    return T(__atomic_fetch_or(raw, Raw(x), __ATOMIC_SEQ_CST));
  else if constexpr (Op == logic_xor)
    return T(__atomic_fetch_xor(raw, Raw(x), __ATOMIC_SEQ_CST));
  else {
    Raw old = __atomic_load_n(raw, __ATOMIC_RELAXED);
    for (;;) {
      Raw wanted = __builtin_bit_cast(
          Raw, updated<Op, T>(__builtin_bit_cast(T, old), x));
      if (__atomic_compare_exchange_n(raw, &old, wanted, false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        return __builtin_bit_cast(T, old);
    }
  }
}

/// The operations: run(p, data, second) changes the value at `p` by the lane's
/// data operands and returns the value before. Ds: for a DS instruction. The
/// primary template is for operations with one data operand.
template <AtomicOperation Op, typename T, bool Ds> struct AtomicUpdate {
  static constexpr unsigned bytes = sizeof(T);
  INLINE u64 run(void *p, const u32 *data, const u32 *) {
    u64 x = data[0];
    if constexpr (sizeof(T) == 8)
      x |= u64(data[LANES]) << 32;
    return to_bits(rmw<Op, T>(static_cast<T *>(p), bits_to<T>(x)));
  }
};
/// Where the two values are: access::compare_operands.
template <typename T, bool Ds>
struct AtomicUpdate<AtomicOperation::compare_swap, T, Ds> {
  static constexpr unsigned bytes = sizeof(T);
  INLINE u64 run(void *p, const u32 *data, const u32 *second) {
    constexpr unsigned words = sizeof(T) / 4;
    constexpr auto where = access::compare_operands(Ds, words);
    const auto value = [&](access::AtomicData from)
        __attribute__((always_inline)) {
      const u32 *at = (from.source == 1 ? second : data) + from.row * LANES;
      T v = T(at[0]);
      if constexpr (words == 2)
        v |= T(at[LANES]) << 32;
      return v;
    };
    T x = value(where.fresh), e = value(where.expected);
    __atomic_compare_exchange_n(static_cast<T *>(p), &e, x, false,
                                __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return to_bits(e);
  }
};
/// DS: compares as floats, so +0 and -0 are equal and a NaN never is.
template <typename T, bool Ds>
struct AtomicUpdate<AtomicOperation::float_compare_swap, T, Ds> {
  static constexpr unsigned bytes = sizeof(T);
  using Raw = std::conditional_t<sizeof(T) == 8, u64, u32>;
  INLINE u64 run(void *p, const u32 *data, const u32 *second) {
    u64 e = data[0], x = second[0];
    if constexpr (sizeof(T) == 8) {
      e |= u64(data[LANES]) << 32;
      x |= u64(second[LANES]) << 32;
    }
    Raw *raw = static_cast<Raw *>(p);
    Raw old = __atomic_load_n(raw, __ATOMIC_SEQ_CST);
    while (__builtin_bit_cast(T, old) == bits_to<T>(e))
      if (__atomic_compare_exchange_n(raw, &old, Raw(x), false,
                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        break;
    return old;
  }
};
/// DS mskor: (memory & ~data) | second.
template <typename T, bool Ds>
struct AtomicUpdate<AtomicOperation::mask_or, T, Ds> {
  static constexpr unsigned bytes = sizeof(T);
  INLINE u64 run(void *p, const u32 *data, const u32 *second) {
    T keep = T(data[0]), set = T(second[0]);
    if constexpr (sizeof(T) == 8) {
      keep |= T(data[LANES]) << 32;
      set |= T(second[LANES]) << 32;
    }
    T *raw = static_cast<T *>(p), old = __atomic_load_n(raw, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(raw, &old, T((old & ~keep) | set),
                                        false, __ATOMIC_SEQ_CST,
                                        __ATOMIC_RELAXED))
      ;
    return old;
  }
};
/// DS wrap: old >= data ? old - data : old + second.
template <bool Ds> struct AtomicUpdate<AtomicOperation::wrap, u32, Ds> {
  static constexpr unsigned bytes = 4;
  INLINE u64 run(void *p, const u32 *data, const u32 *second) {
    u32 *raw = static_cast<u32 *>(p),
        old = __atomic_load_n(raw, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(
        raw, &old, old >= *data ? old - *data : old + *second, false,
        __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
      ;
    return old;
  }
};

/// The atomic of one lane. False after a fault was raised. All spaces share
/// this function.
template <typename Op, bool Ds>
[[gnu::noinline]] static bool atomic_lane(State &s, const Inst *i, unsigned l,
                                          u64 a, Where where) {
  const u32 *data = row(s, i->src[2]) + l;
  const u32 *second = Ds && i->src[1] ? row(s, i->src[1]) + l : nullptr;
  u64 bit = u64(1) << l, old;
  if (a & (Op::bytes - 1)) {
    misaligned_fault(s, i, a, Op::bytes, bit);
    return false;
  }
  switch (where) {
  case Where::global: {
    char *p = global_at(s, i, a, Op::bytes, true, bit);
    if (!p)
      return false;
    old = Op::run(p, data, second);
    break;
  }
  case Where::scratch: { // nobody else can see it
    if (!scratch_ok(s, i, u32(a), Op::bytes, true, bit))
      return false;
    alignas(8) char bytes[8];
    scratch_read<Op::bytes>(s, l, u32(a), bytes);
    old = Op::run(bytes, data, second);
    scratch_write<Op::bytes>(s, l, u32(a), bytes);
    break;
  }
  case Where::lds:
    if (!lds_ok(s, i, u32(a), Op::bytes, true, bit))
      return false;
    old = Op::run(s.lds + u32(a), data, second);
    break;
  }
  if (i->dst) {
    u32 *d = row(s, i->dst) + l;
    d[0] = u32(old);
    if constexpr (Op::bytes == 8)
      d[LANES] = u32(old >> 32);
  }
  return true;
}

/// The atomics of all active lanes in LDS. False, with nothing done, if one is
/// outside or misaligned.
template <typename Op>
[[gnu::noinline]] static bool lds_atomics(State &s, const Inst *i, u64 exec) {
  const u32 *v = row(s, i->src[0]), more = u32(i->imm);
  u32 low_bits = 0;
  EACH_LANE(l, exec) low_bits |= v[l] + more;
  if (low_bits & (Op::bytes - 1) ||
      u64(highest_offset(s, v, more, exec)) + Op::bytes > s.lds_size)
    return false;
  const u32 *data = row(s, i->src[2]), *second = row(s, i->src[1]);
  u32 *d = i->dst ? row(s, i->dst) : nullptr;
  EACH_LANE(l, exec) {
    const u64 old = Op::run(s.lds + u32(v[l] + more), data + l, second + l);
    if (d) {
      d[l] = u32(old);
      if constexpr (Op::bytes == 8)
        d[l + LANES] = u32(old >> 32);
    }
  }
  return true;
}

template <Space S, typename Op> struct Atomic {
  INLINE bool lane(State &s, const Inst *i, unsigned l, u64 a) {
    u64 in_segment = a;
    const Where place = where<S>(in_segment);
    return atomic_lane<Op, S == Space::lds>(s, i, l, a, place);
  }
  static void many(State &s, const Inst *i) {
    const u64 exec = s.exec();
    if constexpr (S == Space::lds)
      if (i->src[0] && lds_atomics<Op>(s, i, exec))
        NEXT(s, i);
    s.regions->refresh();
    Addresses a;
    all_addresses<S>(s, i, a);
    EACH_LANE(l, exec)
    if (!lane(s, i, l, a.a[l])) {
      add_faulting_lanes(s, a.a, exec);
      return;
    }
    NEXT(s, i);
  }
  static void one(State &s, const Inst *i) {
    s.regions->refresh();
    unsigned l = s.only_lane();
    u64 a = lane_address<S>(s, i, l);
    if (!lane(s, i, l, a))
      return;
    NEXT(s, i);
  }
};

template <typename H> constexpr OperationHandlers memory_handlers() {
  OperationHandlers op = every_shape(H::many, skip);
  op.fn[ONE] = H::one;
  return op;
}

// DS: two accesses in one instruction. imm and scond are the byte offsets.

template <typename A, bool IsStore> struct Two {
  static void many(State &s, const Inst *i) {
    const u32 *v = row(s, i->src[0]);
    if constexpr (!IsStore)
      if (same_in_lanes(s, v, unsigned(__builtin_ctzll(s.exec())))) {
        if (!load_once(s, i, v[__builtin_ctzll(s.exec())]))
          return;
        NEXT(s, i);
      }
    if (all_at_once(s, i, v))
      NEXT(s, i);
    EACH_LANE(l, s.exec()) {
      u32 first = v[l] + u32(i->imm), second = v[l] + u32(i->scond);
      if (!lds_ok(s, i, first, A::bytes, IsStore, u64(1) << l) ||
          !lds_ok(s, i, second, A::bytes, IsStore, u64(1) << l))
        return;
      if constexpr (IsStore) {
        A::store(s.lds + first, row(s, i->src[2]) + l);
        A::store(s.lds + second, row(s, i->src[1]) + l);
      } else {
        u32 a[2 * A::words * LANES]; // only lane 0 of each row is used
        A::load(s.lds + first, a);
        A::load(s.lds + second, a + A::words * LANES);
        u32 *d = row(s, i->dst) + l;
        for (unsigned k = 0; k < 2 * A::words; ++k)
          d[k * LANES] = a[k * LANES];
      }
    }
    NEXT(s, i);
  }
  static void one(State &s, const Inst *i) {
    [[clang::musttail]] return many(s, i);
  }

private:
  /// Moves the data of all lanes; false, with nothing done, if an access is
  /// outside.
  static bool all_at_once(State &s, const Inst *i, const u32 *v) {
    const u64 exec = s.exec();
    const u32 first = u32(i->imm), second = u32(i->scond);
    const u32 high = std::max(highest_offset(s, v, first, exec),
                              highest_offset(s, v, second, exec));
    if (u64(high) + A::bytes > s.lds_size)
      return false;
    if constexpr (IsStore) {
      store_lds<A>(s, exec, v, first, row(s, i->src[2]));
      store_lds<A>(s, exec, v, second, row(s, i->src[1]));
    } else {
      alignas(64) u32 offsets[LANES]; // the loads may overwrite them
      __builtin_memcpy(offsets, v, sizeof offsets);
      load_lds<A>(s, exec, offsets, first, row(s, i->dst));
      load_lds<A>(s, exec, offsets, second, row(s, i->dst) + A::words * LANES);
    }
    return true;
  }
  /// Loads for all active lanes, which have the offset `at` in their address
  /// registers. False after a fault was raised.
  static bool load_once(State &s, const Inst *i, u32 at) {
    const u32 first = at + u32(i->imm), second = at + u32(i->scond);
    if (!lds_ok(s, i, first, A::bytes, false, s.exec()) ||
        !lds_ok(s, i, second, A::bytes, false, s.exec()))
      return false;
    u32 *d = row(s, i->dst);
    broadcast<A>(s, s.lds + first, d);
    broadcast<A>(s, s.lds + second, d + A::words * LANES);
    return true;
  }
};

} // namespace gpuexec::emulator::amdgpu::LEVEL
