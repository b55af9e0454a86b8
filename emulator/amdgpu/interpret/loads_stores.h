//===-- emulator/amdgpu/interpret/loads_stores.h - Loads and stores -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The handlers of loads and stores. Fast paths: lanes that lie back to back,
// one address for all lanes, all lanes inside one allocation or inside adjacent
// ones; everything else goes lane by lane. Included once per unit inside the
// level's namespace, after gather.h; memory_access.h says what Inst's fields
// mean.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

// What the addresses of the active lanes have in common.

struct Spread {
  u64 first;     // the address of the first active lane
  u64 different; // bits in which any other address differs from it
  u64 low, high; // lowest and highest address
};
/// T: u64; or u32 for offsets in LDS and the private segment.
template <typename T>
[[gnu::noinline]] static Spread spread_of(State &s, const Addresses &a) {
  const T first = T(a.a[__builtin_ctzll(s.exec())]);
  T lo = ~T(0), hi = 0, different = 0;
  if (s.shape == FULL) {
    LANE_LOOP
    for (unsigned l = 0; l < LANES; ++l) {
      const T x = T(a.a[l]);
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
      different |= x ^ first;
    }
  } else {
    const u32 *on = exec_rows(s);
    LANE_LOOP
    for (unsigned l = 0; l < LANES; ++l) {
      const T x = on[l] ? T(a.a[l]) : first;
      lo = x < lo ? x : lo;
      hi = x > hi ? x : hi;
      different |= x ^ first;
    }
  }
  return {first, different, lo, hi};
}
/// True if the accesses of all active lanes lie in a span that the wave has
/// used before: the fast path may make them without further checks. A lane is
/// outside if x = address - begin or last - x is negative.
[[gnu::noinline]] static bool in_span(State &s, const Addresses &a, u32 bytes) {
  for (unsigned k = 0; k < RegionCache::SPANS; ++k) {
    const MemorySpan &span = s.regions->span(k);
    if (!span.length)
      continue;
    const u64 begin = span.begin, last = span.length - bytes;
    u64 outside = 0;
    if (s.shape == FULL) {
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l) {
        u64 x = a.a[l] - begin;
        outside |= x | (last - x);
      }
    } else {
      const u32 *on = exec_rows(s);
      LANE_LOOP
      for (unsigned l = 0; l < LANES; ++l) {
        u64 x = a.a[l] - begin, mask = u64(i64(i32(on[l])));
        outside |= (x | (last - x)) & mask;
      }
    }
    if (!(outside >> 63))
      return true;
  }
  return false;
}

/// True if every lane accesses its own private segment and no access crosses
/// from one word into the next.
template <typename A> INLINE bool in_private(State &s, const Spread &spread) {
  // If neither the first address nor any difference has low bits, all addresses
  // are aligned.
  u32 align = A::sub_word ? A::bytes - 1 : 3;
  return !((u32(spread.first) | u32(spread.different)) & align) &&
         u64(u32(spread.high)) + A::bytes <= s.private_size;
}
// Fast paths.

#define ALL_ON(s, l, exec, body)                                               \
  if ((s).shape == FULL) {                                                     \
    _Pragma("clang loop vectorize(disable)") for (unsigned l = 0; l < LANES;   \
                                                  ++l) body;                   \
  } else                                                                       \
    EACH_LANE(l, exec) body;

/// How the addresses of a full wave with a scalar base are arranged. The 32-bit
/// offsets alone decide it: all lanes have the first lane's address (same), or
/// each lane's element follows the one before (in_order).
struct Pattern {
  u64 first = 0;
  bool same = false, in_order = false;
};
INLINE Pattern offset_pattern(State &s, const Inst *i, u32 bytes) {
  const u32 *v = row(s, i->src[0]);
  u32 first = v[0], different = 0, out_of_order = 0;
  if (v[1] != first && v[1] != first + bytes) // most others fail here already
    return {};
  LANE_LOOP
  for (unsigned l = 0; l < LANES; ++l) {
    different |= v[l] ^ first;
    out_of_order |= v[l] ^ (first + l * bytes);
  }
  return {i->imm + scalar64(s, i, i->src[1]) + first, different == 0,
          out_of_order == 0 && first < 0xffff0000u};
}

/// True if all active lanes have lane `first`'s address: in a register pair, or
/// in a register that is added to a scalar.
INLINE bool same_address(State &s, const Inst *i, unsigned first) {
  if (!i->src[0])
    return true;
  const u32 *v = row(s, i->src[0]);
  return same_in_lanes(s, v, first) &&
         (i->src[1] || same_in_lanes(s, v + LANES, first));
}

INLINE bool in_lane_order(State &s, const Inst *i, u64 exec, u32 bytes) {
  const u32 *v = row(s, i->src[0]);
  return i->src[1] ? in_lane_order<false>(s, v, exec, bytes)
                   : in_lane_order<true>(s, v, exec, bytes);
}

/// True if comparing the active lanes' addresses costs more than it saves.
INLINE bool few_lanes(State &s, u64 exec) {
  return s.shape == SOME && __builtin_popcountll(exec) <= 6;
}
// Parts of the handlers. They are functions of their own, because handlers for
// different spaces share them: the build takes half the time.

/// Moves the data of all lanes, which lie back to back in memory from `first`
/// on.
template <typename A, bool Write>
[[gnu::noinline]] static void move_in_order(u64 first, u32 *d) {
  auto *memory = reinterpret_cast<Element<A> *>(first);
  LANE_LOOP
  for (unsigned l = 0; l < LANES; ++l)
    for (unsigned k = 0; k < A::words; ++k)
      if constexpr (Write)
        memory[l * A::words + k] = Element<A>(A::source(d[k * LANES + l]));
      else
        d[k * LANES + l] =
            A::extend(u32(memory[l * A::words + k]), d[k * LANES + l]);
}
/// Moves the data of the active lanes in their private segments; `a`: offsets.
template <typename A, bool Write>
[[gnu::noinline]] static void move_private_lanes(State &s, const Addresses &a,
                                                 u32 *d) {
  const u64 exec = s.exec();
  ALL_ON(s, l, exec, (private_move<A, Write>(s, l, u32(a.a[l]), d + l)))
}
template <typename A, bool Write>
[[gnu::noinline]] static void move_lds_lanes(State &s, const Addresses &a,
                                             u32 *d) {
  const u64 exec = s.exec();
  ALL_ON(s, l, exec, A::template move<Write>(s.lds + u32(a.a[l]), d + l))
}
/// As load_once(), wherever the address lies.
template <Space S, typename A>
[[gnu::noinline]] static bool load_once_checked(State &s, const Inst *i, u64 at,
                                                u32 *d) {
  u64 place = at;
  const char *from = nullptr;
  if (where<S>(place) == Where::global)
    from = global_at(s, i, at, A::bytes, false, s.exec());
  else if (lds_ok(s, i, u32(place), A::bytes, false, s.exec()))
    from = s.lds + u32(place);
  if (from)
    broadcast<A>(s, from, d);
  return from;
}
/// Loads the data at address `at`, which all active lanes have, once; not from
/// the private segments. False after a fault was raised.
template <Space S, typename A>
INLINE bool load_once(State &s, const Inst *i, u64 at, u32 *d) {
  if (!in_one_region(s, at, at, A::bytes, false))
    return load_once_checked<S, A>(s, i, at, d);
  broadcast<A>(s, reinterpret_cast<const char *>(at), d);
  return true;
}
/// Moves the data of the active lanes with all checks: one by one, but for a
/// load from one address. False after a fault was raised.
template <Space S, typename A, bool Write>
[[gnu::noinline]] static bool move_checked(State &s, const Inst *i,
                                           const Addresses &a, u32 *d) {
  const u64 exec = s.exec();
  [[maybe_unused]] const u64 first = a.a[__builtin_ctzll(exec)];
  if constexpr (!Write && S != Space::scratch) {
    u64 place = first, different = 0;
    EACH_LANE(l, exec) different |= a.a[l] ^ first;
    if (!different && where<S>(place) != Where::scratch)
      return load_once_checked<S, A>(s, i, first, d);
  }
  EACH_LANE(l, exec)
  if (!move_lane<S, A, Write>(s, i, l, a.a[l], d + l)) {
    add_faulting_lanes(s, a.a, exec);
    return false;
  }
  return true;
}

// Handlers.

/// A load or a store (Write).
template <Space S, typename A, bool Write> struct Transfer {
  static void many(State &s, const Inst *i) {
    u32 *d = row(s, Write ? i->src[2] : i->dst);
    u64 exec = s.exec();
    if constexpr (S == Space::global && !Write) {
      if (s.shape == FULL && i->src[0] && i->src[1]) {
        Pattern p = offset_pattern(s, i, A::bytes);
        s.regions->refresh();
        if (p.same) {
          if (!load_once<S, A>(s, i, p.first, d))
            return;
          NEXT(s, i);
        }
        if (p.in_order &&
            in_one_region(s, p.first, p.first + A::bytes * (LANES - 1),
                          A::bytes, false)) {
          move_in_order<A, Write>(p.first, d);
          NEXT(s, i);
        }
      }
    }
    if constexpr (S == Space::scratch || S == Space::buffer) {
      if (!i->src[0]) {
        u32 offset = u32(lane_address<S>(s, i, 0));
        if (!scratch_ok(s, i, offset, A::bytes, Write, exec))
          return;
        if (one_word_each<A>(s, offset)) {
          scratch_row_move<A, Write>(s, offset, d);
          NEXT(s, i);
        }
      }
    }
    if constexpr (S == Space::lds)
      if (i->src[0] &&
          (Write || !same_in_lanes(s, row(s, i->src[0]),
                                   unsigned(__builtin_ctzll(exec)))) &&
          move_lds<A, Write>(s, exec, row(s, i->src[0]), u32(i->imm), d))
        NEXT(s, i);
    s.regions->refresh();
    if constexpr (S == Space::global || S == Space::flat)
      if (i->src[0] && in_lane_order(s, i, exec, A::bytes) &&
          move_ordered_global<A, Write>(
              s, lane_address<S>(s, i, unsigned(__builtin_ctzll(exec))), d))
        NEXT(s, i);
    Addresses a;
    if (few_lanes(s, exec)) {
      EACH_LANE(l, exec) a.a[l] = lane_address<S>(s, i, l);
      if (!move_checked<S, A, Write>(s, i, a, d))
        return;
      NEXT(s, i);
    }
    if constexpr (S == Space::flat || (S == Space::global && !Write)) {
      unsigned first = unsigned(__builtin_ctzll(exec));
      if (same_address(s, i, first)) {
        const u64 at = lane_address<S>(s, i, first);
        u64 place = at;
        const Where space = where<S>(place);
        if constexpr (!Write)
          if (space != Where::scratch) {
            if (!load_once<S, A>(s, i, at, d))
              return;
            NEXT(s, i);
          }
        if (S == Space::flat && space == Where::scratch &&
            one_word_each<A>(s, u32(place)) &&
            place + A::bytes <= s.private_size) {
          scratch_row_move<A, Write>(s, u32(place), d);
          NEXT(s, i);
        }
      }
    }
    all_addresses<S>(s, i, a);
    if constexpr (S == Space::global || S == Space::flat) {
      if (s.shape == FULL && back_to_back(a, A::bytes) &&
          in_one_region(s, a.a[0], a.a[0] + A::bytes * (LANES - 1), A::bytes,
                        Write)) {
        move_in_order<A, Write>(a.a[0], d);
        NEXT(s, i);
      }
      if (in_span(s, a, A::bytes)) {
        move_lanes<A, Write>(s, a, d);
        NEXT(s, i);
      }
    }
    if (!by_spread(s, i, a, d))
      return;
    NEXT(s, i);
  }
  /// Moves the data after comparing the addresses of all active lanes. False
  /// after a fault was raised.
  INLINE bool by_spread(State &s, const Inst *i, Addresses &a, u32 *d) {
    constexpr bool is_offset = S != Space::global && S != Space::flat;
    Spread spread = spread_of<std::conditional_t<is_offset, u32, u64>>(s, a);
    u64 at = spread.first;
    const bool same = spread.different == 0;
    switch (where<S>(at)) {
    case Where::global:
      if constexpr (!Write)
        if (same)
          return load_once_checked<S, A>(s, i, spread.first, d);
      if (in_one_region(s, spread.low, spread.high, A::bytes, Write)) {
        move_lanes<A, Write>(s, a, d);
        // in_span() will accept the next instruction's addresses.
        if (spread.low != spread.high)
          s.regions->find_span(spread.low, spread.high + A::bytes);
        return true;
      }
      if (s.regions->find_span(spread.low, spread.high + A::bytes) &&
          in_span(s, a, A::bytes)) {
        move_lanes<A, Write>(s, a, d);
        return true;
      }
      break;
    case Where::scratch:
      if (spread.different >> 32 || !in_private<A>(s, spread))
        break;
      if (same)
        scratch_row_move<A, Write>(s, u32(at), d);
      else
        move_private_lanes<A, Write>(s, a, d);
      return true;
    case Where::lds:
      if (spread.different >> 32 ||
          u64(u32(spread.high)) + A::bytes > s.lds_size)
        break;
      if (!Write && same)
        broadcast<A>(s, s.lds + u32(at), d);
      else
        move_lds_lanes<A, Write>(s, a, d);
      return true;
    }
    return move_checked<S, A, Write>(s, i, a, d);
  }
  static void one(State &s, const Inst *i) {
    unsigned lane = s.only_lane();
    s.regions->refresh();
    u64 a = lane_address<S>(s, i, lane);
    if (!move_lane<S, A, Write>(s, i, lane, a,
                                row(s, Write ? i->src[2] : i->dst) + lane))
      return;
    NEXT(s, i);
  }
};

} // namespace gpuexec::emulator::amdgpu::LEVEL
