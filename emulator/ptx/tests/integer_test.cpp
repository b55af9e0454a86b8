// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer arithmetic, bits and comparisons of PTX against the host.
#include "emulator/ptx/tests/ptx_test.h"

#include <algorithm>

#define W [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t
#define UNUSED (void)a, (void)b, (void)c

namespace {

using u32 = uint32_t;
using s32 = int32_t;
using u64 = uint64_t;
using s64 = int64_t;
using u128 = unsigned __int128;
using s128 = __int128;

u64 u(s64 value) { return u32(value); }

s64 clamp32(s64 value) { return std::clamp<s64>(value, INT32_MIN, INT32_MAX); }

TEST_F(Ptx, AddsAndSubtracts) {
  check({
      {"add.s32 $d, $a, $b;", 32, 32, W { UNUSED; return u32(a + b);
}
} // namespace
, {"add.u16 $d, $a, $b;", 16, 16, W{UNUSED;
return uint16_t(a + b);
}
}
, {"sub.s64 $d, $a, $b;", 64, 64, W{UNUSED;
return a - b;
}
}
, {"add.sat.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return u(clamp32(s64(s32(a)) + s32(b)));
}
}
, {"sub.sat.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return u(clamp32(s64(s32(a)) - s32(b)));
}
}
, {"abs.s32 $d, $a;", 32, 32, W{UNUSED;
return s32(a) < 0 ? u32(0 - a) : a;
}
}
, {"neg.s64 $d, $a;", 64, 64, W{UNUSED;
return 0 - a;
}
}
, {"sad.s32 $d, $a, $b, $c;", 32, 32,
   W{return u32(c + (s32(a) < s32(b) ? b - a : a - b));
}
}
, {"sad.u32 $d, $a, $b, $c;", 32, 32, W{return u32(c + (a < b ? b - a : a - b));
}
}
, {"min.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return u(std::min(s32(a), s32(b)));
}
}
, {"max.u64 $d, $a, $b;", 64, 64, W{UNUSED;
return std::max(a, b);
}
}
, {"max.s64 $d, $a, $b;", 64, 64, W{UNUSED;
return u64(std::max(s64(a), s64(b)));
}
}
, {"min.s16 $d, $a, $b;", 16, 16, W{UNUSED;
return uint16_t(std::min(int16_t(a), int16_t(b)));
}
}
, {"min.s16x2 $d, $a, $b;", 32, 32, W{UNUSED;
u32 low = uint16_t(std::min(int16_t(a), int16_t(b)));
u32 high = uint16_t(std::min(int16_t(a >> 16), int16_t(b >> 16)));
return high << 16 | low;
}
}
, {"max.s32.relu $d, $a, $b;", 32, 32, W{UNUSED;
return u(std::max({s32(a), s32(b), 0}));
}
}
, {"add.u16x2 $d, $a, $b;", 32, 32, W{UNUSED;
return ((a + b) & 0xffff) | u32((a >> 16) + (b >> 16)) << 16;
}
}
,
});
}

TEST_F(Ptx, CarriesAndBorrows) {
  check({
      {"add.cc.u32 $t, $a, $b;\naddc.u32 $d, $c, 0;", 32, 32,
       W { return u32(c + ((a + b) >> 32));
}
}
, {"add.cc.u64 $t, $a, $b;\naddc.cc.u64 $u, $c, $a;\naddc.u64 $d, 0, 0;", 64,
   64, W{return u64((u128(c) + a + ((u128(a) + b) >> 64)) >> 64);
}
}
, {"sub.cc.u32 $t, $a, $b;\nsubc.cc.u32 $u, $c, $a;\nsubc.u32 $d, $b, 0;", 32,
   32, W{s64 borrow = a < b;
borrow = s64(c) - s64(a) - borrow < 0;
return u32(b - borrow);
}
}
, {"mad.lo.cc.u32 $t, $a, $b, $c;\nmadc.hi.u32 $d, $a, $b, $c;", 32, 32,
   W{u64 carry = (u64(u32(a * b)) + c) >> 32;
return u32(((a * b) >> 32) + c + carry);
}
}
,
});
}

TEST_F(Ptx, MultipliesAndDivides) {
  check({
      {"mul.lo.u32 $d, $a, $b;", 32, 32, W { UNUSED; return u32(a * b);
}
}
, {"mul.hi.u32 $d, $a, $b;", 32, 32, W{UNUSED;
return a * b >> 32;
}
}
, {"mul.hi.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return u32(s64(s32(a)) * s32(b) >> 32);
}
}
, {"mul.hi.u64 $d, $a, $b;", 64, 64, W{UNUSED;
return u64(u128(a) * b >> 64);
}
}
, {"mul.hi.s64 $d, $a, $b;", 64, 64, W{UNUSED;
return u64(s128(s64(a)) * s64(b) >> 64);
}
}
, {"mul.wide.s32 $d, $a, $b;", 64, 32, W{UNUSED;
return u64(s64(s32(a)) * s32(b));
}
}
, {"mul.wide.u16 $d, $a, $b;", 32, 16, W{UNUSED;
return a * b;
}
}
, {"mul.wide.s16 $d, $a, $b;", 32, 16, W{UNUSED;
return u(int16_t(a) * int16_t(b));
}
}
, {"mad.lo.s32 $d, $a, $b, $c;", 32, 32, W{return u32(a * b + c);
}
}
, {"mad.hi.sat.s32 $d, $a, $b, $c;", 32, 32,
   W{return u(clamp32((s64(s32(a)) * s32(b) >> 32) + s32(c)));
}
}
, {"cvt.u64.u32 %rd11, $c;\nmad.wide.u32 %rd10, $a, $b, %rd11;", 64, 32,
   W{UNUSED;
return a * b + c;
}
}
, {"mul24.lo.u32 $d, $a, $b;", 32, 32, W{UNUSED;
return u32((a & 0xffffff) * (b & 0xffffff));
}
}
, {"mul24.hi.s32 $d, $a, $b;", 32, 32, W{UNUSED;
s64 x = s32(a << 8) >> 8, y = s32(b << 8) >> 8;
return u32(x * y >> 16);
}
}
,
    // By zero: no fault. The result is nobody's promise, and not compared.
    {"div.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return b ? u(s64(s32(a)) / s32(b)) : 0xffffffff;
}
}
, {"rem.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return b ? u(s64(s32(a)) % s32(b)) : a;
}
}
, {"div.u64 $d, $a, $b;", 64, 64, W{UNUSED;
return b ? a / b : ~u64(0);
}
}
, {"rem.s64 $d, $a, $b;", 64, 64, W{UNUSED;
return b ? u64(s128(s64(a)) % s64(b)) : a;
}
}
, {"div.s16 $d, $a, $b;", 16, 16, W{UNUSED;
return b ? uint16_t(int16_t(a) / int16_t(b)) : 0xffff;
}
}
, {"dp4a.u32.s32 $d, $a, $b, $c;", 32, 32,
   W{for (int n = 0; n < 32; n += 8) c += s64(uint8_t(a >> n)) * int8_t(b >> n);
return u32(c);
}
}
, {"dp2a.hi.s32.u32 $d, $a, $b, $c;", 32, 32,
   W{for (int n = 0; n < 2; ++n) c +=
     s64(int16_t(a >> 16 * n)) * uint8_t(b >> (16 + 8 * n));
return u32(c);
}
}
,
});
}

TEST_F(Ptx, ShiftsClampAmounts) {
  check({
      {"shl.b32 $d, $a, $b;", 32, 32,
       W { UNUSED; return b > 31 ? 0 : u32(a << b);
}
}
, {"shr.u32 $d, $a, $b;", 32, 32, W{UNUSED;
return b > 31 ? 0 : a >> b;
}
}
, {"shr.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return u(s32(a) >> std::min<u64>(b, 31));
}
}
, {"cvt.u32.u64 %r9, $b;\nshl.b64 $d, $a, %r9;", 64, 64, W{UNUSED;
return u32(b) > 63 ? 0 : a << b;
}
}
, {"cvt.u32.u64 %r9, $b;\nshr.s64 $d, $a, %r9;", 64, 64, W{UNUSED;
return u64(s64(a) >> std::min<u64>(u32(b), 63));
}
}
, {"cvt.u32.u16 %r9, $b;\nshr.s16 $d, $a, %r9;", 16, 16, W{UNUSED;
return uint16_t(int16_t(a) >> std::min<u64>(b, 15));
}
}
, {"shf.l.wrap.b32 $d, $a, $b, $c;", 32, 32,
   W{return u32((b << 32 | a) << (c & 31) >> 32);
}
}
, {"shf.r.wrap.b32 $d, $a, $b, $c;", 32, 32,
   W{return u32((b << 32 | a) >> (c & 31));
}
}
, {"shf.l.clamp.b32 $d, $a, $b, $c;", 32, 32,
   W{return u32((b << 32 | a) << std::min<u64>(c, 32) >> 32);
}
}
, {"shf.r.clamp.b32 $d, $a, $b, $c;", 32, 32,
   W{return u32((b << 32 | a) >> std::min<u64>(c, 32));
}
}
,
});
}

/// As the documentation of bfe has it, bit by bit.
u64 field(u64 a, u64 b, u64 c, unsigned bits, bool by_sign) {
  u64 at = b & 0xff, length = c & 0xff, last = bits - 1, result = 0;
  u64 sign = by_sign && length ? a >> std::min(at + length - 1, last) & 1 : 0;
  for (u64 n = 0; n < bits; ++n)
    result |= (n < length && at + n <= last ? a >> (at + n) & 1 : sign) << n;
  return result;
}

u64 highest(u64 a, unsigned bits, bool by_sign, bool amount) {
  if (by_sign && a >> (bits - 1) & 1)
    a = ~a;
  for (int n = bits - 1; n >= 0; --n)
    if (a >> n & 1)
      return amount ? bits - 1 - n : n;
  return 0xffffffff;
}

u64 permuted(u64 a, u64 b, u64 c) {
  u64 bytes = b << 32 | a, result = 0;
  for (int n = 0; n < 4; ++n) {
    u64 selector = c >> 4 * n & 15;
    u64 byte = bytes >> 8 * (selector & 7) & 0xff;
    if (selector & 8)
      byte = byte & 0x80 ? 0xff : 0;
    result |= byte << 8 * n;
  }
  return result;
}

TEST_F(Ptx, FieldsAndBits) {
  check({
      {"bfe.u32 $d, $a, $b, $c;", 32, 32,
       W { return field(a, b, c, 32, false);
}
}
, {"bfe.s32 $d, $a, $b, $c;", 32, 32, W{return field(a, b, c, 32, true);
}
}
, {"cvt.u32.u64 %r8, $b;\ncvt.u32.u64 %r9, $c;\n"
   "bfe.s64 $d, $a, %r8, %r9;",
   64, 64, W{return field(a, b, c, 64, true);
}
}
, {"cvt.u32.u64 %r8, $b;\ncvt.u32.u64 %r9, $c;\n"
   "bfe.u64 $d, $a, %r8, %r9;",
   64, 64, W{return field(a, b, c, 64, false);
}
}
, {"bfi.b32 $d, $a, $b, $c, 9;", 32, 32, W{u64 at = c & 0xff;
for (u64 n = 0; n < 9 && at + n <= 31; ++n)
  b = (b & ~(u64(1) << (at + n))) | (a >> n & 1) << (at + n);
return b;
}
}
, {"bfi.b32 $d, $a, $b, 3, $c;", 32, 32,
   W{for (u64 n = 0; n < (c & 0xff) && 3 + n <= 31; ++n) b =
         (b & ~(u64(1) << (3 + n))) | (a >> n & 1) << (3 + n);
return b;
}
}
, {"bfind.u32 $d, $a;", 32, 32, W{UNUSED;
return highest(a, 32, false, false);
}
}
, {"bfind.s32 $d, $a;", 32, 32, W{UNUSED;
return highest(a, 32, true, false);
}
}
, {"bfind.shiftamt.s32 $d, $a;", 32, 32, W{UNUSED;
return highest(a, 32, true, true);
}
}
, {"bfind.u64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64, W{UNUSED;
return highest(a, 64, false, false);
}
}
, {"bfind.shiftamt.u64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64, W{UNUSED;
return highest(a, 64, false, true);
}
}
, {"clz.b32 $d, $a;", 32, 32, W{UNUSED;
return a ? u64(__builtin_clz(u32(a))) : 32;
}
}
, {"clz.b64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64, W{UNUSED;
return a ? u64(__builtin_clzll(a)) : 64;
}
}
, {"popc.b32 $d, $a;", 32, 32, W{UNUSED;
return u64(__builtin_popcount(u32(a)));
}
}
, {"popc.b64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64, W{UNUSED;
return u64(__builtin_popcountll(a));
}
}
, {"brev.b32 $d, $a;", 32, 32, W{UNUSED;
return u64(__builtin_bitreverse32(u32(a)));
}
}
, {"brev.b64 $d, $a;", 64, 64, W{UNUSED;
return u64(__builtin_bitreverse64(a));
}
}
, {"prmt.b32 $d, $a, $b, $c;", 32, 32, W{return permuted(a, b, c);
}
}
, {"prmt.b32.f4e $d, $a, $b, $c;", 32, 32,
   W{return u32((b << 32 | a) >> 8 * (c & 3));
}
}
, {"prmt.b32.b4e $d, $a, $b, $c;", 32, 32,
   W{static const u64 BY[] = {0x5670, 0x6701, 0x7012, 0x0123};
return permuted(a, b, BY[c & 3]);
}
}
, {"prmt.b32.rc8 $d, $a, $b, $c;", 32, 32, W{UNUSED;
return permuted(a, b, 0x1111 * (c & 3));
}
}
, {"prmt.b32.ecl $d, $a, $b, $c;", 32, 32,
   W{static const u64 BY[] = {0x3210, 0x3211, 0x3222, 0x3333};
return permuted(a, b, BY[c & 3]);
}
}
, {"prmt.b32.ecr $d, $a, $b, $c;", 32, 32,
   W{static const u64 BY[] = {0x0000, 0x1110, 0x2210, 0x3210};
return permuted(a, b, BY[c & 3]);
}
}
, {"prmt.b32.rc16 $d, $a, $b, $c;", 32, 32,
   W{return permuted(a, b, c & 1 ? 0x3232 : 0x1010);
}
}
, {"bmsk.clamp.b32 $d, $a, $b;", 32, 32, W{UNUSED;
if (a > 31)
  return 0;
return u32(((b > 31 ? u64(1) << 32 : u64(1) << b) - 1) << a);
}
}
, {"bmsk.wrap.b32 $d, $a, $b;", 32, 32, W{UNUSED;
return u32(((u64(1) << (b & 31)) - 1) << (a & 31));
}
}
, {"szext.wrap.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return field(a, 0, b & 31, 32, true);
}
}
, {"szext.clamp.u32 $d, $a, $b;", 32, 32, W{UNUSED;
return field(a, 0, std::min<u64>(b, 32), 32, false);
}
}
, {"lop3.b32 $d, $a, $b, $c, 0x96;", 32, 32, W{return a ^ b ^ c;
}
}
, {"lop3.b32 $d, $a, $b, $c, 0xe8;", 32, 32,
   W{return (a & b) | (a & c) | (b & c);
}
}
, {"lop3.b32 $d, $a, $b, $c, 0x40;", 32, 32, W{return a & b & ~c;
}
}
, {"cnot.b32 $d, $a;", 32, 32, W{UNUSED;
return !a;
}
}
, {"not.b16 $d, $a;", 16, 16, W{UNUSED;
return uint16_t(~a);
}
}
, {"fns.b32 $d, $a, 5, 2;", 32, 32, W{UNUSED;
for (int n = 5, left = 2; n < 32; ++n)
  if (a >> n & 1 && !--left)
    return u64(n);
return 0xffffffff;
}
}
, {"fns.b32 $d, $a, 20, -3;", 32, 32, W{UNUSED;
for (int n = 20, left = 3; n >= 0; --n)
  if (a >> n & 1 && !--left)
    return u64(n);
return 0xffffffff;
}
}
,
});
}

TEST_F(Ptx, ComparesAndSelects) {
  check({
      {"setp.lt.s32 $d, $a, $b;", 1, 32,
       W { UNUSED; return s32(a) < s32(b);
}
}
, {"setp.lt.u32 $d, $a, $b;", 1, 32, W{UNUSED;
return a < b;
}
}
, {"setp.hs.u64 $d, $a, $b;", 1, 64, W{UNUSED;
return a >= b;
}
}
, {"setp.ge.s16 $d, $a, $b;", 1, 16, W{UNUSED;
return int16_t(a) >= int16_t(b);
}
}
, {"setp.ne.b32 %p0|$d, $a, $b;", 1, 32, W{UNUSED;
return a == b;
}
}
, {"setp.eq.and.s32 $d, $a, $b, $r;", 1, 32, W{UNUSED;
return a == b && (c & 1);
}
}
, {"setp.eq.and.s32 $d, $a, $b, !$r;", 1, 32, W{UNUSED;
return a == b && !(c & 1);
}
}
, {"setp.gt.xor.u32 %p0|$d, $a, $b, $r;", 1, 32,
   W{return !(a > b) != bool(c & 1);
}
}
, {"setp.gt.or.u32 $d|%p0, $a, $b, $r;", 1, 32, W{return a > b || (c & 1);
}
}
, {"set.gt.u32.s32 $d, $a, $b;", 32, 32, W{UNUSED;
return s32(a) > s32(b) ? 0xffffffff : 0;
}
}
, {"set.le.f32.u32 $d, $a, $b;", 32, 32, W{UNUSED;
return a <= b ? 0x3f800000 : 0;
}
}
, {"selp.b64 $d, $a, $b, $r;", 64, 64, W{return c & 1 ? a : b;
}
}
, {"slct.u32.s32 $d, $a, $b, $c;", 32, 32, W{return s32(c) >= 0 ? a : b;
}
}
, {"slct.ftz.u32.f32 $d, $a, $b, $c;", 32, 32, W{float x = as<float>(c);
return x >= 0 || std::fabs(x) < 0x1p-126f ? a : b;
}
}
, {"setp.neu.f32 $d, $a, $b;", 1, 32, W{UNUSED;
return as<float>(a) != as<float>(b);
}
}
, {"setp.ne.f32 $d, $a, $b;", 1, 32, W{UNUSED;
float x = as<float>(a), y = as<float>(b);
return x < y || x > y;
}
}
, {"setp.ltu.f64 $d, $a, $b;", 1, 64, W{UNUSED;
return !(as<double>(a) >= as<double>(b));
}
}
, {"setp.nan.f32 $d, $a, $b;", 1, 32, W{UNUSED;
return std::isnan(as<float>(a)) || std::isnan(as<float>(b));
}
}
, {"setp.eq.ftz.f32 $d, $a, $b;", 1, 32, W{UNUSED;
auto flush = [](float x) { return std::fabs(x) < 0x1p-126f ? 0 : x; };
return flush(as<float>(a)) == flush(as<float>(b));
}
}
, {"setp.gt.f16 $d, $a, $b;", 1, 16, W{UNUSED;
return as<_Float16>(a) > as<_Float16>(b);
}
}
, {"testp.normal.f32 $d, $a;", 1, 32, W{UNUSED;
float x = as<float>(a);
return std::isnormal(x) || x == 0;
}
}
, {"testp.subnormal.f64 $d, $a;", 1, 64, W{UNUSED;
return std::fpclassify(as<double>(a)) == FP_SUBNORMAL;
}
}
,
});
}

} // namespace
