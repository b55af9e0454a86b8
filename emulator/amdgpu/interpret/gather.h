//===-- emulator/amdgpu/interpret/gather.h - Lanes at any address ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the data of all lanes between memory and rows, each lane at an address
// of its own that was checked before. Lanes are loaded one by one and assembled
// to vectors of sixteen: the next instruction reads whole rows, and a row that
// was stored in small pieces would have to wait until they are in the cache.
// Gather instructions are slower than this on AMD's processors and no faster on
// Intel's. Included once per unit inside the level's namespace, after
// memory_rows.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

using Four = u32 __attribute__((ext_vector_type(4)));
using Pair = u64 __attribute__((ext_vector_type(2)));
using Sixteen = u32 __attribute__((ext_vector_type(16)));
using SignedSixteen = i32 __attribute__((ext_vector_type(16)));

template <typename T> INLINE T read_at(u64 address) {
  T value;
  __builtin_memcpy(&value, reinterpret_cast<const char *>(address), sizeof(T));
  return value;
}
template <typename T> INLINE void write_at(u64 address, T value) {
  __builtin_memcpy(reinterpret_cast<char *>(address), &value, sizeof(T));
}
INLINE Sixteen sixteen_at(const u32 *from) {
  Sixteen value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
INLINE Four four_at(const u32 *from) {
  Four value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
INLINE Sixteen join(Four a, Four b, Four c, Four d) {
  auto low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  auto high = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
                                 11, 12, 13, 14, 15);
}
/// Four vectors of one lane's words each become four of one word each; and
/// back.
INLINE void transpose(Four (&x)[4]) {
  Four a = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5),
       b = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5),
       c = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7),
       d = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
  x[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  x[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  x[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/// The words of four lanes, word k in to[k].
template <typename A> INLINE void load_four(const u64 *a, Four (&to)[4]) {
  if constexpr (A::words == 1) {
    using T = Element<A>;
    to[0] = Four{read_at<T>(a[0]), read_at<T>(a[1]), read_at<T>(a[2]),
                 read_at<T>(a[3])};
  } else if constexpr (A::words == 4) {
    for (unsigned l = 0; l < 4; ++l)
      to[l] = read_at<Four>(a[l]);
    transpose(to);
  } else {
    Pair first = {read_at<u64>(a[0]), read_at<u64>(a[1])},
         second = {read_at<u64>(a[2]), read_at<u64>(a[3])};
    Four x = __builtin_bit_cast(Four, first),
         y = __builtin_bit_cast(Four, second);
    to[0] = __builtin_shufflevector(x, y, 0, 2, 4, 6);
    to[1] = __builtin_shufflevector(x, y, 1, 3, 5, 7);
    if constexpr (A::words == 3)
      to[2] = Four{read_at<u32>(a[0] + 8), read_at<u32>(a[1] + 8),
                   read_at<u32>(a[2] + 8), read_at<u32>(a[3] + 8)};
  }
}
/// A register of sixteen lanes, as a T for LaneData::extend().
struct Registers {
  Sixteen x;
  INLINE_MEMBER Registers operator<<(unsigned n) const { return {x << n}; }
  INLINE_MEMBER Registers operator>>(unsigned n) const { return {x >> n}; }
  INLINE_MEMBER Registers operator&(u32 mask) const { return {x & mask}; }
  INLINE_MEMBER Registers operator|(Registers o) const { return {x | o.x}; }
};
INLINE Registers shift_right_signed(Registers r, unsigned n) {
  return {__builtin_bit_cast(Sixteen,
                             __builtin_bit_cast(SignedSixteen, r.x) >> int(n))};
}
/// Loads the data of every lane, also of those that are off, from an address
/// where it may read. Writes only the lanes that are on.
template <typename A> INLINE void gather(State &s, const Addresses &a, u32 *d) {
  const u32 *write = s.shape == FULL ? nullptr : exec_rows(s);
  for (unsigned base = 0; base < LANES; base += 16) {
    Four part[4][4];
    for (unsigned k = 0; k < 4; ++k)
      load_four<A>(a.a + base + 4 * k, part[k]);
    for (unsigned k = 0; k < A::words; ++k) {
      u32 *to = d + k * LANES + base;
      Sixteen value = join(part[0][k], part[1][k], part[2][k], part[3][k]);
      if (A::sub_word)
        value = A::extend(Registers{value}, Registers{sixteen_at(to)}).x;
      if (write) {
        Sixteen on = sixteen_at(write + base);
        value = (value & on) | (sixteen_at(to) & ~on);
      }
      __builtin_memcpy(to, &value, sizeof value);
    }
  }
}
/// Stores every lane's data, in the order of the lanes.
template <typename A> INLINE void scatter(const Addresses &a, u32 *d) {
  if constexpr (A::words != 2 && A::words != 4) {
    _Pragma("clang loop vectorize(disable)") for (unsigned l = 0; l < LANES;
                                                  ++l)
        A::store(reinterpret_cast<char *>(a.a[l]), d + l);
  } else
    for (unsigned base = 0; base < LANES; base += 4) {
      const u64 *to = a.a + base;
      if constexpr (A::words == 4) {
        Four x[4];
        for (unsigned k = 0; k < 4; ++k)
          x[k] = four_at(d + k * LANES + base);
        transpose(x);
        for (unsigned l = 0; l < 4; ++l)
          write_at(to[l], x[l]);
      } else {
        Four low = four_at(d + base), high = four_at(d + LANES + base);
        Pair x = __builtin_bit_cast(
                 Pair, __builtin_shufflevector(low, high, 0, 4, 1, 5)),
             y = __builtin_bit_cast(
                 Pair, __builtin_shufflevector(low, high, 2, 6, 3, 7));
        for (unsigned l = 0; l < 4; ++l)
          write_at<u64>(to[l], l < 2 ? x[l & 1] : y[l & 1]);
      }
    }
}
/// If each lane walks through an array of its own, there are more streams than
/// the processor's prefetcher follows. So each access prefetches the next cache
/// line of a few lanes. By the time that the lanes have used up their lines,
/// the next lines of all of them have been prefetched.
template <typename A, bool Write> INLINE void fetch_ahead(const Addresses &a) {
  constexpr unsigned LINE = 64, EACH = A::words == 3 ? 16 : A::bytes;
  const u64 *some = a.a + a.a[0] % LINE / EACH * EACH;
  for (unsigned l = 0; l < EACH; ++l)
    __builtin_prefetch(reinterpret_cast<const char *>(some[l] + LINE), Write);
}
/// Moves the data of all active lanes, whose addresses were checked.
template <typename A, bool Write>
[[gnu::noinline]] static void move_lanes(State &s, Addresses &a, u32 *d) {
  constexpr int MOST_ALONE = 24; // up to here a loop over lanes is faster
  const u64 exec = s.exec();
  if (s.shape == FULL) {
    fetch_ahead<A, Write>(a);
    if constexpr (Write)
      scatter<A>(a, d);
    else
      gather<A>(s, a, d);
  } else if (Write || __builtin_popcountll(exec) <= MOST_ALONE) {
    EACH_LANE(l, exec)
    A::template move<Write>(reinterpret_cast<char *>(a.a[l]), d + l);
  } else if constexpr (!Write) {
    // Lanes that are off read what another lane reads.
    const u64 some = a.a[__builtin_ctzll(exec)];
    const u32 *on = exec_rows(s);
    LANE_LOOP
    for (unsigned l = 0; l < LANES; ++l)
      a.a[l] = on[l] ? a.a[l] : some;
    gather<A>(s, a, d);
  }
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
