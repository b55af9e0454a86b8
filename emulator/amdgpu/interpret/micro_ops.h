//===-- emulator/amdgpu/interpret/micro_ops.h - Around operations ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The micro-ops that surround an operation under SDWA, DPP and clamp, and the
// one that runs after an ordinary write to EXEC.
// Included once per unit inside the level's namespace, after control.h.
//===----------------------------------------------------------------------===//

namespace gpuexec::emulator::amdgpu::LEVEL {

#define FOR_LANES(s, l)                                                        \
  for (unsigned first_ = (s).shape == ONE ? (s).only_lane() : 0,               \
                last_ = (s).shape == ONE ? first_ + 1 : LANES, l = first_;     \
       l < last_; ++l)

/// temp (dst) = selected bits of src[0]. imm: shift, width (8, 16, 32) << 8,
/// sign << 16.
static void sdwa(State &s, const Inst *i) {
  unsigned shift = i->imm & 31, up = 32 - (i->imm >> 8 & 63);
  bool sign = i->imm >> 16 & 1;
  u32 *d = row(s, i->dst);
  if (i->src[0] & ROW) {
    const u32 *a = row(s, i->src[0]);
    FOR_LANES(s, l) {
      u32 x = a[l] >> shift << up;
      d[l] = sign ? u32(i32(x) >> up) : x >> up;
    }
  } else {
    u32 x = scalar32(s, i, i->src[0]) >> shift << up;
    x = sign ? u32(i32(x) >> up) : x >> up;
    FOR_LANES(s, l) d[l] = x;
  }
  NEXT(s, i);
}
/// The part of dst that imm names = src[0]; the rest: 0, sign or kept (bits
/// 18:17 of imm).
static void sdwa_merge(State &s, const Inst *i) {
  unsigned shift = i->imm & 31, width = i->imm >> 8 & 63,
           unused = i->imm >> 17 & 3;
  u32 field = (width == 32 ? ~0u : (1u << width) - 1) << shift;
  u32 keep = unused == 2 ? ~field : 0;
  unsigned up = 32 - width;
  u32 *d = row(s, i->dst);
  const u32 *a = row(s, i->src[0]);
  EACH_LANE(l, s.exec()) {
    u32 value = unused == 1 ? u32(i32(a[l] << up) >> up) << shift
                            : a[l] << shift & field;
    d[l] = (d[l] & keep) | value;
  }
  NEXT(s, i);
}
/// The lane that `lane` reads under a DPP control; -1: none.
static int dpp_source(unsigned control, int lane) {
  int in_row = lane & 15, row_base = lane & ~15;
  if (control <= 0xff)
    return (lane & ~3) + (control >> (2 * (lane & 3)) & 3);
  int n = control & 15, at;
  switch (control & 0x1f0) {
  case 0x100: // row_shl
    at = in_row + n;
    return at < 16 ? row_base + at : -1;
  case 0x110: // row_shr
    at = in_row - n;
    return at >= 0 ? row_base + at : -1;
  case 0x120: // row_ror
    return row_base + ((in_row - n) & 15);
  case 0x130: // wave shifts and rotations by one
    switch (n) {
    case 0:
      return lane < 63 ? lane + 1 : -1;
    case 4:
      return (lane + 1) & 63;
    case 8:
      return lane - 1;
    default:
      return (lane - 1) & 63;
    }
  case 0x140:
    switch (n) {
    case 0: // row_mirror
      return row_base + 15 - in_row;
    case 1: // row_half_mirror
      return (lane & ~7) + 7 - (lane & 7);
    case 2: // row_bcast:15
      return row_base - 1;
    default: // row_bcast:31
      return lane < 32 ? -1 : 31;
    }
  case 0x160: // row_xmask, from RDNA1 on
    return row_base + (in_row ^ n);
  default: // row_newbcast; row_share from RDNA1 on
    return row_base + n;
  }
}
/// imm: dpp_ctrl, row_mask << 9, bank_mask << 13, bound_ctrl << 17, registers
/// << 18, fetch_inactive << 20. Bit 21: DPP8, with three bits for each of eight
/// lanes from bit 32 on instead of dpp_ctrl.
static void dpp(State &s, const Inst *i) {
  u64 exec = s.exec(), write = 0;
  unsigned rows_on = i->imm >> 9 & 15, banks = i->imm >> 13 & 15;
  bool bound = i->imm >> 17 & 1, dpp8 = i->imm >> 21 & 1;
  const u64 sources = i->imm >> 20 & 1 ? ~u64(0) : exec; // lanes to read
  unsigned registers = i->imm >> 18 & 3;
  const u32 *a = row(s, i->src[0]);
  u32 *d = row(s, i->dst);
  for (unsigned l = 0; l < LANES; ++l) {
    int from = dpp8 ? int((l & ~7u) | (i->imm >> (32 + 3 * (l & 7)) & 7))
                    : dpp_source(i->imm & 0x1ff, int(l));
    bool valid = from >= 0 && (sources >> from & 1);
    for (unsigned k = 0; k < registers; ++k)
      d[k * LANES + l] = valid ? a[k * LANES + unsigned(from)] : 0;
    bool on = (rows_on >> (l / 16) & 1) && (banks >> (l % 16 / 4) & 1) &&
              (valid || bound);
    write |= u64(on) << l;
  }
  s.dpp_mask = write & exec;
  NEXT(s, i);
}
/// dst = src[0] in the lanes of dpp_mask. imm: registers.
static void masked_copy(State &s, const Inst *i) {
  EACH_LANE(l, s.dpp_mask)
  for (unsigned k = 0; k < i->imm; ++k)
    row(s, i->dst)[k * LANES + l] = row(s, i->src[0])[k * LANES + l];
  NEXT(s, i);
}
/// temp = src[0] with its sign modified as a 32-bit float. imm: neg, abs << 1.
static void modify(State &s, const Inst *i) {
  u32 keep = i->imm & 2 ? 0x7fffffffu : ~0u,
      flip = i->imm & 1 ? 0x80000000u : 0;
  u32 *d = row(s, i->dst);
  FOR_LANES(s, l) d[l] = (lane32(s, i, i->src[0], l) & keep) ^ flip;
  NEXT(s, i);
}
/// temp = upper half of src[0].
static void upper_half(State &s, const Inst *i) {
  u32 *d = row(s, i->dst);
  FOR_LANES(s, l) d[l] = lane32(s, i, i->src[0], l) >> 16;
  NEXT(s, i);
}
/// The half of dst that bit 0 of imm names (0 low, 1 high) = src[0]. Bit 1: in
/// the lanes of dpp_mask.
static void insert_half(State &s, const Inst *i) {
  u32 *d = row(s, i->dst);
  const u32 *a = row(s, i->src[0]);
  EACH_LANE(l, i->imm & 2 ? s.dpp_mask : s.exec())
  d[l] = i->imm & 1 ? (d[l] & 0xffff) | a[l] << 16
                    : (d[l] & 0xffff0000u) | (a[l] & 0xffff);
  NEXT(s, i);
}
/// dst = src[0] with omod and clamp. imm: Type; mods as the operation's.
static void finish(State &s, const Inst *i) {
  unsigned omod = i->mods >> MOD_OMOD_SHIFT & 3;
  bool clamp = i->mods & MOD_CLAMP;
  u32 *d = row(s, i->dst);
  const u32 *a = row(s, i->src[0]);
  auto apply = [&](auto v) __attribute__((always_inline)) {
    v = ops::apply_omod(s.mode, v, omod);
    return clamp ? ops::apply_clamp(s.mode, v) : v;
  };
  EACH_LANE(l, s.exec()) switch (Type(i->imm)) {
  case Type::f32:
    d[l] = ops::bits_of(apply(ops::f32(a[l])));
    break;
  case Type::f64: {
    u64 bits = ops::bits_of(apply(ops::f64(a[l] | u64(a[LANES + l]) << 32)));
    d[l] = u32(bits);
    d[LANES + l] = u32(bits >> 32);
    break;
  }
  case Type::u64: // two floats
    d[l] = ops::bits_of(apply(ops::f32(a[l])));
    d[LANES + l] = ops::bits_of(apply(ops::f32(a[LANES + l])));
    break;
  case Type::p16:
    d[l] = ops::bits_of(apply(ops::f16(a[l]))) |
           u32(ops::bits_of(apply(ops::f16(a[l] >> 16)))) << 16;
    break;
  default:
    d[l] = (i->sdst ? d[l] & 0xffff0000u : 0) |
           ops::bits_of(apply(ops::f16(a[l])));
  }
  NEXT(s, i);
}
/// EXEC = lane mask src[0].
static void set_exec(State &s, const Inst *i) {
  s.mask(EXEC) = mask_at(s, i->src[0]);
  s.exec_changed();
  NEXT(s, i);
}

} // namespace gpuexec::emulator::amdgpu::LEVEL
