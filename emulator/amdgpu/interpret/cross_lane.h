//===-- emulator/amdgpu/interpret/cross_lane.h - Between lanes --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instructions that move data between lanes, or between lanes and scalars.
// Included once per unit inside the level's namespace, after control.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

// Lanes to scalars and back.

static void readfirstlane(State &s, const Inst *i) {
  u64 exec = s.exec();
  *row(s, i->dst) =
      lane32(s, i, i->src[0], exec ? unsigned(__builtin_ctzll(exec)) : 0);
  NEXT(s, i);
}
static void readlane(State &s, const Inst *i) {
  *row(s, i->dst) =
      lane32(s, i, i->src[0], scalar32(s, i, i->src[1]) & s.last_lane);
  NEXT(s, i);
}
static void writelane(State &s, const Inst *i) {
  row(s, i->dst)[scalar32(s, i, i->src[1]) & s.last_lane] =
      scalar32(s, i, i->src[0]);
  NEXT(s, i);
}
static void swap_rows(State &s, const Inst *i) {
  u32 *a = row(s, i->dst), *b = row(s, i->src[0]);
  EACH_LANE(l, s.exec()) {
    u32 t = a[l];
    a[l] = b[l];
    b[l] = t;
  }
  NEXT(s, i);
}

/// v_swap_b16: exchanges a half of dst and a half of src[0]; mods names them.
static void swap_halves(State &s, const Inst *i) {
  u32 *a = row(s, i->dst), *b = row(s, i->src[0]);
  const auto [up_a, up_b] = access::SwappedHalves::of(i->mods);
  EACH_LANE(l, s.exec()) {
    const u32 x = a[l] >> up_a & 0xffff, y = b[l] >> up_b & 0xffff;
    a[l] = (a[l] & ~(0xffffu << up_a)) | y << up_a;
    b[l] = (b[l] & ~(0xffffu << up_b)) | x << up_b;
  }
  NEXT(s, i);
}

/// v_permlane16 (Other: v_permlanex16): each lane reads the lane that the low
/// four bits of `select` name.
template <bool Other, typename Select>
INLINE void permute_by(State &s, const Inst *i, Select select) {
  const u64 exec = s.exec();
  const auto mods = access::Permlane16::of(i->mods);
  const u32 *a = row(s, i->src[0]);
  u32 result[LANES];
  u64 write = 0;
  EACH_LANE(l, exec) {
    const unsigned from = access::permlane16_source(l, select(l), Other);
    const bool valid = mods.fetches_inactive || (exec >> from & 1);
    result[l] = valid ? a[from] : 0;
    write |= u64(valid || mods.zeroes) << l;
  }
  EACH_LANE(l, write) row(s, i->dst)[l] = result[l];
}
template <bool Other> static void permute_rows(State &s, const Inst *i) {
  const u64 lanes = scalar32(s, i, i->src[1]) | u64(scalar32(s, i, i->src[2]))
                                                    << 32;
  permute_by<Other>(s, i,
                    [&](unsigned l) { return u32(lanes >> (4 * (l & 15))); });
  NEXT(s, i);
}
/// v_permlane16_var: src[1] of each lane names the lane that it reads.
template <bool Other>
static void permute_rows_by_lane(State &s, const Inst *i) {
  const u32 *lanes = row(s, i->src[1]);
  permute_by<Other>(s, i, [&](unsigned l) { return lanes[l]; });
  NEXT(s, i);
}
/// v_permlane64: each lane reads the lane 32 lanes away, active or not.
static void swap_wave_halves(State &s, const Inst *i) {
  const u32 *a = row(s, i->src[0]);
  u32 result[LANES];
  EACH_LANE(l, s.exec())
  result[l] = a[access::permlane64_source(l, s.last_lane)];
  EACH_LANE(l, s.exec()) row(s, i->dst)[l] = result[l];
  NEXT(s, i);
}

/// v_pk_mov_b32: op_sel of each source says which of its registers is taken;
/// the first source gives the low result, the second the high one.
static void packed_move(State &s, const Inst *i) {
  u32 *d = row(s, i->dst);
  auto pick = [&](unsigned k, unsigned l) {
    u64 pair = lane64(s, i, i->src[k], l);
    return i->mods & mod_opsel(k) ? u32(pair >> 32) : u32(pair);
  };
  EACH_LANE(l, s.exec()) {
    u32 low = pick(0, l), high = pick(1, l);
    d[l] = low;
    d[LANES + l] = high;
  }
  NEXT(s, i);
}

// DS across lanes, without memory.

static void ds_bpermute(State &s, const Inst *i) {
  const u32 *v = row(s, i->src[0]), *data = row(s, i->src[2]);
  const u32 *on = exec_rows(s);
  alignas(64) u32 from[LANES], active[LANES];
  const unsigned count = s.last_lane == LANES - 1 ? LANES : LANES / 2;
  for (unsigned base = 0; base < count; base += LANES / 2) {
    LANE_LOOP
    for (unsigned j = 0; j < LANES / 2; ++j) {
      const unsigned l = base + j;
      from[l] = access::lane_at_address(v[l], i->imm, s.last_lane);
      active[l] = data[l] & on[l];
    }
  }
  u32 *d = row(s, i->dst);
  for (unsigned l = 0; l < count; ++l)
    d[l] = chosen(on[l], active[from[l]], d[l]);
  NEXT(s, i);
}
static void ds_permute(State &s, const Inst *i) {
  const u32 *v = row(s, i->src[0]), *data = row(s, i->src[2]);
  u64 exec = s.exec();
  u32 result[LANES] = {};
  EACH_LANE(l, exec)
  result[access::lane_at_address(v[l], i->imm, s.last_lane)] = data[l];
  EACH_LANE(l, exec) row(s, i->dst)[l] = result[l];
  NEXT(s, i);
}
static void ds_swizzle(State &s, const Inst *i) {
  const u32 *data = row(s, i->src[0]);
  u64 exec = s.exec();
  u32 result[LANES];
  unsigned pattern = i->imm & 0xffff;
  EACH_LANE(l, exec) {
    const unsigned from = access::swizzle_source(pattern, l);
    result[l] = exec >> from & 1 ? data[from] : 0;
  }
  EACH_LANE(l, exec) row(s, i->dst)[l] = result[l];
  NEXT(s, i);
}
static void matrix(State &s, const Inst *i) {
  multiply_matrices(s, i);
  NEXT(s, i);
}

/// ds_append, ds_consume: a counter at M0's base plus offset moves by the
/// number of active lanes.
template <bool Append> static void ds_append(State &s, const Inst *i) {
  u32 offset = (s.s[M0] >> 16) + u32(i->imm);
  u64 exec = s.exec();
  if (!lds_ok(s, i, offset, 4, true, exec))
    return;
  if (offset & 3) {
    misaligned_fault(s, i, offset, 4, exec);
    return;
  }
  u32 n = u32(__builtin_popcountll(exec));
  u32 *counter = reinterpret_cast<u32 *>(s.lds + offset);
  u32 old = Append ? __atomic_fetch_add(counter, n, __ATOMIC_SEQ_CST)
                   : __atomic_fetch_sub(counter, n, __ATOMIC_SEQ_CST);
  EACH_LANE(l, exec) row(s, i->dst)[l] = old;
  NEXT(s, i);
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
