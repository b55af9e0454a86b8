//===-- emulator/amdgpu/interpret/ordered.h - Lanes back to back ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads and stores of waves whose active lanes access neighbouring elements, as
// most kernels do: whole vectors move. Which lanes are on does not matter; a
// wave of 32 lanes always has 32 that are off. And LDS, where an offset has 32
// bits. Included once per unit inside the level's namespace, after gather.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

/// Lanes are moved in groups.
constexpr unsigned LANES_AT_ONCE = 16;

/// How many lanes may be on: a wave of 32 lanes uses half of a row.
INLINE unsigned lanes_in_use(u64 exec) { return exec >> 32 ? LANES : 32; }

/// True if the active lanes' elements of `bytes` bytes follow each other, each
/// as far behind the first as its lane. `v`: the row of addresses, of two words
/// (Pair) or of offsets of one word.
template <bool Pair>
INLINE bool in_lane_order(State &s, const u32 *v, u64 exec, u32 bytes) {
  const unsigned first = unsigned(__builtin_ctzll(exec)),
                 last = 63 - unsigned(__builtin_clzll(exec));
  const u32 base = v[first] - first * bytes;
  if (v[last] != base + last * bytes || // most others fail here already
      v[last] < v[first])
    return false;
  const u32 *on = exec_rows(s);
  const unsigned count = lanes_in_use(exec);
  const u32 high = Pair ? v[LANES + first] : 0;
  u32 different = 0;
  for (unsigned from = 0; from < count; from += 32) {
    LANE_LOOP
    for (unsigned j = 0; j < 32; ++j) {
      const unsigned l = from + j;
      u32 x = v[l] ^ (base + l * bytes);
      if constexpr (Pair)
        x |= v[LANES + l] ^ high;
      different |= x & on[l];
    }
  }
  return different == 0;
}

/// Moves the data of the active lanes between `d` and memory. Lane l's element
/// is at `memory` + l * A::bytes; elements of other lanes are not touched.
template <typename A, bool Write>
[[gnu::noinline]] static void move_in_lane_order(u64 exec, char *memory,
                                                 u32 *d) {
  const unsigned count = lanes_in_use(exec);
  for (unsigned from = 0; from < count; from += LANES_AT_ONCE) {
    const u32 on = u32(exec >> from) & 0xffff;
    if (on != 0xffff) {
      EACH_LANE(j, u64(on))
      A::template move<Write>(memory + u64(from + j) * A::bytes, d + from + j);
      continue;
    }
    using E = Element<A>;
    E elements[LANES_AT_ONCE * A::words];
    char *at = memory + u64(from) * A::bytes;
    if constexpr (!Write)
      __builtin_memcpy(elements, at, sizeof elements);
    _Pragma("clang loop unroll(full)") for (unsigned k = 0; k < A::words; ++k) {
      u32 *words = d + k * LANES + from;
      LANE_LOOP
      for (unsigned j = 0; j < LANES_AT_ONCE; ++j) {
        if constexpr (Write)
          elements[j * A::words + k] = E(A::source(words[j]));
        else
          words[j] = A::extend(u32(elements[j * A::words + k]), words[j]);
      }
    }
    if constexpr (Write)
      __builtin_memcpy(at, elements, sizeof elements);
  }
}

/// Moves global data if the active lanes are in order and inside one region:
/// lane `first`'s address is `address`. False: nothing was done.
template <typename A, bool Write>
INLINE bool move_ordered_global(State &s, u64 address, u32 *d) {
  const u64 exec = s.exec();
  const unsigned first = unsigned(__builtin_ctzll(exec)),
                 last = 63 - unsigned(__builtin_clzll(exec));
  if (!in_one_region(s, address, address + u64(last - first) * A::bytes,
                     A::bytes, Write))
    return false;
  move_in_lane_order<A, Write>(
      exec, reinterpret_cast<char *>(address - u64(first) * A::bytes), d);
  return true;
}

// LDS.

/// The largest offset of an active lane, `more` included.
INLINE u32 highest_offset(State &s, const u32 *v, u32 more, u64 exec) {
  const u32 *on = exec_rows(s);
  u32 high = 0;
  const unsigned count = lanes_in_use(exec);
  for (unsigned from = 0; from < count; from += 32) {
    LANE_LOOP
    for (unsigned j = 0; j < 32; ++j) {
      const u32 offset = (v[from + j] + more) & on[from + j];
      high = offset > high ? offset : high;
    }
  }
  return high;
}
/// What the offsets of sixteen active lanes have in common.
struct GroupOffsets {
  bool same, in_order;
};
INLINE GroupOffsets group_offsets(const u32 *v, u32 bytes) {
  const u32 first = v[0];
  u32 different = 0, out_of_order = 0;
  LANE_LOOP
  for (unsigned j = 0; j < LANES_AT_ONCE; ++j) {
    different |= v[j] ^ first;
    out_of_order |= v[j] ^ (first + j * bytes);
  }
  return {different == 0, out_of_order == 0};
}
/// Loads data of the active lanes from LDS to the rows of `d`, which may be
/// those of the offsets, `v`: they are read first. All accesses were checked.
/// Sixteen lanes at a time, which often access neighbouring elements or one.
template <typename A>
[[gnu::noinline]] static void load_lds(State &s, u64 exec, const u32 *v,
                                       u32 more, u32 *d) {
  const unsigned count = lanes_in_use(exec);
  for (unsigned from = 0; from < count; from += LANES_AT_ONCE) {
    const u32 on = u32(exec >> from) & 0xffff;
    const char *lds = s.lds;
    if (on != 0xffff) {
      EACH_LANE(j, u64(on))
      A::load(lds + u32(v[from + j] + more), d + from + j);
      continue;
    }
    const GroupOffsets offsets = group_offsets(v + from, A::bytes);
    const char *first = lds + u32(v[from] + more);
    u32 words[A::words][LANES_AT_ONCE];
    if (offsets.same) {
      u32 word[A::words];
      A::fetch(first, word);
      for (unsigned k = 0; k < A::words; ++k)
        for (unsigned j = 0; j < LANES_AT_ONCE; ++j)
          words[k][j] = word[k];
    } else if (offsets.in_order) {
      Element<A> elements[LANES_AT_ONCE * A::words];
      __builtin_memcpy(elements, first, sizeof elements);
      for (unsigned k = 0; k < A::words; ++k)
        for (unsigned j = 0; j < LANES_AT_ONCE; ++j)
          words[k][j] = elements[j * A::words + k];
    } else {
      for (unsigned j = 0; j < LANES_AT_ONCE; j += 4) {
        u64 a[4];
        for (unsigned l = 0; l < 4; ++l)
          a[l] = reinterpret_cast<u64>(lds) + u32(v[from + j + l] + more);
        Four four[4];
        load_four<A>(a, four);
        for (unsigned k = 0; k < A::words; ++k)
          __builtin_memcpy(&words[k][j], &four[k], sizeof(Four));
      }
    }
    for (unsigned k = 0; k < A::words; ++k) {
      u32 *to = d + k * LANES + from;
      LANE_LOOP
      for (unsigned j = 0; j < LANES_AT_ONCE; ++j)
        to[j] = A::extend(words[k][j], to[j]);
    }
  }
}
/// Stores likewise, in the order of the lanes.
template <typename A>
[[gnu::noinline]] static void store_lds(State &s, u64 exec, const u32 *v,
                                        u32 more, u32 *d) {
  const unsigned count = lanes_in_use(exec);
  for (unsigned from = 0; from < count; from += LANES_AT_ONCE) {
    const u32 on = u32(exec >> from) & 0xffff;
    char *lds = s.lds;
    if (on == 0xffff && group_offsets(v + from, A::bytes).in_order)
      move_in_lane_order<A, true>(u64(0xffff), lds + u32(v[from] + more),
                                  d + from);
    else
      EACH_LANE(j, u64(on))
    A::store(lds + u32(v[from + j] + more), d + from + j);
  }
}
/// Moves data of the active lanes; false, with nothing done, if an access is
/// outside.
template <typename A, bool Write>
INLINE bool move_lds(State &s, u64 exec, const u32 *v, u32 more, u32 *d) {
  if (u64(highest_offset(s, v, more, exec)) + A::bytes > s.lds_size)
    return false;
  if constexpr (Write)
    store_lds<A>(s, exec, v, more, d);
  else
    load_lds<A>(s, exec, v, more, d);
  return true;
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
