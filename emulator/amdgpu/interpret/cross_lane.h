//===-- emulator/amdgpu/interpret/cross_lane.h - Between lanes --*- C++ -*-===//
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
  *row(s, i->dst) = lane32(s, i, i->src[0], scalar32(s, i, i->src[1]) & 63);
  NEXT(s, i);
}
static void writelane(State &s, const Inst *i) {
  row(s, i->dst)[scalar32(s, i, i->src[1]) & 63] = scalar32(s, i, i->src[0]);
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
  u64 exec = s.exec();
  u32 result[LANES];
  EACH_LANE(l, exec) {
    unsigned from = (v[l] + u32(i->imm)) >> 2 & 63;
    result[l] = exec >> from & 1 ? data[from] : 0;
  }
  EACH_LANE(l, exec) row(s, i->dst)[l] = result[l];
  NEXT(s, i);
}
static void ds_permute(State &s, const Inst *i) {
  const u32 *v = row(s, i->src[0]), *data = row(s, i->src[2]);
  u64 exec = s.exec();
  u32 result[LANES] = {};
  EACH_LANE(l, exec) result[(v[l] + u32(i->imm)) >> 2 & 63] = data[l];
  EACH_LANE(l, exec) row(s, i->dst)[l] = result[l];
  NEXT(s, i);
}
static void ds_swizzle(State &s, const Inst *i) {
  const u32 *data = row(s, i->src[0]);
  u64 exec = s.exec();
  u32 result[LANES];
  unsigned pattern = i->imm & 0xffff;
  EACH_LANE(l, exec) {
    unsigned from =
        pattern & 0x8000
            ? (l & ~3u) + (pattern >> (2 * (l & 3)) & 3)
            : (l & ~31u) + ((((l & 31) & pattern) | (pattern >> 5 & 31)) ^
                            (pattern >> 10 & 31));
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
