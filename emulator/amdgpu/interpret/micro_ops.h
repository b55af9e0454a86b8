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

/// temp (dst) = the part of src[0] that imm (Sdwa) names.
static void sdwa(State &s, const Inst *i) {
  const Sdwa part = Sdwa::unpack(i->imm);
  u32 *d = row(s, i->dst);
  if (i->src[0] & ROW) {
    const u32 *a = row(s, i->src[0]);
    FOR_LANES(s, l) d[l] = part.read(a[l]);
  } else {
    const u32 x = part.read(scalar32(s, i, i->src[0]));
    FOR_LANES(s, l) d[l] = x;
  }
  NEXT(s, i);
}
/// The part of dst that imm (SdwaMerge) names = src[0].
static void sdwa_merge(State &s, const Inst *i) {
  const SdwaMerge merge = SdwaMerge::unpack(i->imm);
  u32 *d = row(s, i->dst);
  const u32 *a = row(s, i->src[0]);
  EACH_LANE(l, s.exec()) d[l] = merge.written(d[l], a[l]);
  NEXT(s, i);
}
/// temp (dst) = src[0], read from the lanes that imm (Dpp) names; dpp_mask =
/// the lanes that the operation may write.
static void dpp(State &s, const Inst *i) {
  const Dpp dpp = Dpp::unpack(i->imm);
  const u64 exec = s.exec(), readable = dpp.fetches_inactive ? ~u64(0) : exec;
  const u32 *a = row(s, i->src[0]);
  u32 *d = row(s, i->dst);
  u64 write = 0;
  for (unsigned l = 0; l < LANES; ++l) {
    const int from = dpp.source(int(l));
    const bool reads = from >= 0 && (readable >> from & 1);
    for (unsigned k = 0; k < dpp.registers; ++k)
      d[k * LANES + l] = reads ? a[k * LANES + unsigned(from)] : 0;
    write |= u64(dpp.writes(l, reads)) << l;
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
/// temp = src[0] with its sign changed as imm (SignChange) says.
static void modify(State &s, const Inst *i) {
  const SignChange change = SignChange::unpack(i->imm);
  u32 *d = row(s, i->dst);
  FOR_LANES(s, l) d[l] = change.applied(lane32(s, i, i->src[0], l));
  NEXT(s, i);
}
/// temp = upper half of src[0].
static void upper_half(State &s, const Inst *i) {
  u32 *d = row(s, i->dst);
  FOR_LANES(s, l) d[l] = lane32(s, i, i->src[0], l) >> 16;
  NEXT(s, i);
}
/// The half of dst that imm (HalfInsertion) names = src[0].
static void insert_half(State &s, const Inst *i) {
  const HalfInsertion half = HalfInsertion::unpack(i->imm);
  u32 *d = row(s, i->dst);
  const u32 *a = row(s, i->src[0]);
  EACH_LANE(l, half.dpp_lanes ? s.dpp_mask : s.exec())
  d[l] = half.written(d[l], a[l]);
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
