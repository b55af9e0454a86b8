//===-- emulator/amdgpu/baseline/arithmetic.h - Stencils of the ALUs -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a pure function of ops/ becomes a stencil.
// Included by stencils.cpp and wave_stencils.cpp, after holes.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::baseline {
namespace {

// Vector arithmetic.

/// KeepHigh: a result of 16 bits leaves the other half as it was.
template <auto F, bool KeepHigh, typename Signature = decltype(F)>
struct Vector;
template <auto F, bool KeepHigh, typename R, typename... A>
struct Vector<F, KeepHigh, R (*)(A...)> {
  using Result = ResultOf<R>;
  using Value = typename Result::Value;
  static constexpr unsigned N = (0u + ... + unsigned(IS_SOURCE<A>));
  static constexpr bool has_floats = (false || ... || IS_FLOAT<A>);
  static constexpr bool has_unusual =
      (false || ... || IS_UNUSUAL<A>) || IS_UNUSUAL<Value>;
  /// A row and a scalar of one register are read alike.
  template <Source... S> static constexpr bool distinct() {
    constexpr Source sources[] = {S...};
    unsigned k = 0;
    bool good = true;
    auto look = [&](bool is_source, unsigned registers) {
      if (is_source && sources[k++ % 3] == Source::scalar)
        good &= registers == 2;
    };
    (look(IS_SOURCE<A>, registers_of(TYPE<std::remove_cvref_t<A>>)), ...);
    return good;
  }

  template <Source... S> struct With {
    static constexpr Source sources[] = {S...};
    template <typename T, size_t P, bool Modified>
    INLINE decltype(auto) argument(State &s) {
      if constexpr (IS_MODE<T>)
        return (ops::DEFAULT_MODE);
      else if constexpr (std::is_same_v<T, bool>)
        return bool(*FIELD(const u32, scond) & 1);
      else if constexpr (std::is_same_v<T, ops::LaneId>)
        return ops::LaneId{0};
      else {
        constexpr unsigned k = source_index<P, A...>();
        return vector_source < T, sources[k], k,
               Modified && IS_FLOAT < T >> (s);
      }
    }
    template <bool Modified, size_t... P>
    INLINE R call(State &s, std::index_sequence<P...>) {
      return F(argument<A, P, Modified>(s)...);
    }
    template <bool Modified> static void run(State &s, const Inst *) {
      R r = call<Modified>(s, std::make_index_sequence<sizeof...(A)>());
      if constexpr (Result::has_bit && !Result::has_value)
        *FIELD(u64, sdst) = r;
      else if constexpr (Result::has_bit) {
        store<Value, KeepHigh>(FIELD(u32, dst), LANES, r.value);
        *FIELD(u64, sdst) = r.bit;
      } else
        store<Value, KeepHigh>(FIELD(u32, dst), LANES, r);
      JUMP_TO(next);
    }
  };
};

/// The row of a vector operation for sources of these kinds; without code where
/// the operation has no such form.
template <auto F, bool KeepHigh, Source S0, Source S1, Source S2, bool Modified>
constexpr Row vector_row(OperationId id) {
  using V = Vector<F, KeepHigh>;
  Row row{Key{u16(id),
              u8(MicroOpKind::operation),
              u8(Variant::plain),
              {u8(S0), u8(S1), u8(S2)},
              Modified,
              0},
          nullptr, nullptr};
  constexpr bool exists = (V::N > 1 || S1 == Source::row) &&
                          (V::N > 2 || S2 == Source::row) &&
                          (V::N > 0 || S0 == Source::row) &&
                          (!Modified || V::has_floats) && !V::has_unusual;
  if constexpr (exists)
    if constexpr (V::template distinct<S0, S1, S2>())
      row.code = V::template With<S0, S1, S2>::template run<Modified>;
  return row;
}

// Scalar arithmetic.

template <auto F, typename Signature = decltype(F)> struct Scalar;
template <auto F, typename R, typename... A> struct Scalar<F, R (*)(A...)> {
  static constexpr unsigned N = (0u + ... + unsigned(!std::is_same_v<A, bool>));
  static constexpr bool writes_pair =
      std::is_same_v<R, u64> || std::is_same_v<R, ops::WithScc<u64>>;
  template <Source... S> struct With {
    static constexpr Source sources[] = {S...};
    template <typename T, size_t P> INLINE T argument(State &s) {
      if constexpr (std::is_same_v<T, bool>)
        return s.scc;
      else {
        // The condition comes last: P is the source's number.
        if constexpr (sources[P] == Source::literal) // volatile: see there
          return T(bits_of_source<u32, Source::literal, unsigned(P)>(s));
        T value;
        __builtin_memcpy(&value, source<sources[P], unsigned(P)>(s), sizeof(T));
        return value;
      }
    }
    template <size_t... P> INLINE R call(State &s, std::index_sequence<P...>) {
      return F(argument<A, P>(s)...);
    }
    /// Writes the result and scc.
    INLINE void compute(State &s) {
      R r = call(s, std::make_index_sequence<sizeof...(A)>());
      auto put = [&](auto value) __attribute__((always_inline)) {
        __builtin_memcpy(FIELD(char, dst), &value, sizeof(value));
      };
      if constexpr (std::is_same_v<R, ops::Scc>)
        s.scc = r.scc;
      else if constexpr (requires { r.scc; }) {
        put(r.value);
        s.scc = r.scc;
      } else
        put(r);
    }
    static void run(State &s, const Inst *) {
      compute(s);
      JUMP_TO(next);
    }
    /// The destination is EXEC or a half of it.
    static void run_exec(State &s, const Inst *);
  };
};
template <auto F, Source S0, Source S1>
constexpr Row scalar_row(OperationId id) {
  using V = Scalar<F>;
  Row row{Key{u16(id),
              u8(MicroOpKind::operation),
              u8(Variant::plain),
              {u8(S0), u8(S1), u8(Source::scalar)},
              0,
              0},
          nullptr, nullptr};
  if constexpr ((V::N > 1 || S1 == Source::scalar) &&
                (V::N > 0 || S0 == Source::scalar))
    row.code = V::template With<S0, S1, Source::scalar>::run;
  return row;
}

// EXEC. The only lane goes on or off; whatever else, the interpreter takes
// over.

#define AFTER_EXEC(exec)                                                       \
  do {                                                                         \
    if (__builtin_expect((exec) & ~u64(1), false))                             \
      JUMP_TO(cold);                                                           \
    s.mask_valid = false;                                                      \
    if (exec) {                                                                \
      s.shape = ONE;                                                           \
      JUMP_TO(now_on);                                                         \
    }                                                                          \
    s.shape = NONE;                                                            \
    JUMP_TO(now_off);                                                          \
  } while (0)
void exec_cold(State &s, const Inst *) {
  s.exec_changed();
  JUMP_TO(dispatch);
}
template <auto F, typename R, typename... A>
template <Source... S>
void Scalar<F, R (*)(A...)>::With<S...>::run_exec(State &s, const Inst *) {
  compute(s);
  u64 exec = s.exec();
  AFTER_EXEC(exec);
}
template <auto F, Source S0, Source S1>
constexpr Row scalar_exec_row(OperationId id) {
  Row row = scalar_row<F, S0, S1>(id);
  row.key.variant = u8(Variant::writes_exec);
  if (row.code) {
    row.code = Scalar<F>::template With<S0, S1, Source::scalar>::run_exec;
    row.cold = exec_cold;
  }
  return row;
}
/// For operations on masks; of others whose result is 32 bits none writes EXEC.
template <auto F, Source S0, Source S1>
constexpr Row pair_exec_row(OperationId id) {
  Row row = scalar_exec_row<F, S0, S1>(id);
  if constexpr (!Scalar<F>::writes_pair)
    row.code = nullptr;
  return row;
}
/// Writes EXEC, what it was or is to the destination, and scc; returns EXEC.
template <auto F, bool Save, Source S> INLINE u64 combine_exec(State &s) {
  using Mask = decltype(F(0, 0).value); // of 64 or of 32 lanes
  Mask exec = Mask(s.exec()), value;
  __builtin_memcpy(&value, source<S, 0>(s), sizeof(Mask));
  auto r = F(value, exec);
  *FIELD(Mask, dst) = Save ? exec : r.value;
  s.mask(EXEC) = r.value;
  s.scc = r.scc;
  return r.value;
}
template <auto F, bool Save, Source S> void exec_logic(State &s, const Inst *) {
  const u64 exec = combine_exec<F, Save, S>(s);
  AFTER_EXEC(exec);
}
template <auto F, bool Save, Source S> constexpr Row exec_row(OperationId id) {
  return {Key{u16(id),
              u8(MicroOpKind::operation),
              u8(Variant::plain),
              {u8(S), u8(Source::scalar), u8(Source::scalar)},
              0,
              0},
          exec_logic<F, Save, S>, exec_cold};
}
void set_exec(State &s, const Inst *) {
  u64 exec = *FIELD(const u64, src0);
  s.mask(EXEC) = exec;
  AFTER_EXEC(exec);
}

} // namespace
} // namespace gpuexec::emulator::amdgpu::baseline
