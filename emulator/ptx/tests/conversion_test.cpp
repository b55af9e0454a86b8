// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cvt of PTX against the host.
#include "emulator/ptx/tests/ptx_test.h"

#include <algorithm>
#include <cfenv>

#define W [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t
#define UNUSED (void)a, (void)b, (void)c

namespace {

using u64 = uint64_t;
using s64 = int64_t;

/// A float's integer, clamped to [least, most]; NaN is `of_nan`.
u64 whole(long double x, long double least, long double most, u64 of_nan,
          unsigned bits) {
  if (x != x)
    return of_nan;
  x = std::clamp(x, least, most);
  u64 result = x < 0 ? u64(s64(x)) : u64(x);
  return bits == 64 ? result : result & ((u64(1) << bits) - 1);
}

constexpr long double S32_LEAST = -0x1p31L, S32_MOST = 0x1p31L - 1;
constexpr long double S64_LEAST = -0x1p63L, S64_MOST = 0x1p63L - 1;
constexpr long double U32_MOST = 0x1p32L - 1, U64_MOST = 0x1p64L - 1;

float flush(float x) { return std::fabs(x) < 0x1p-126f ? 0 : x; }

TEST_F(Ptx, FloatsToIntegersClamp) {
  check({
      {"cvt.rzi.s32.f32 $d, $a;", 32, 32,
       W { UNUSED;
         return whole(std::trunc(as<float>(a)), S32_LEAST, S32_MOST, 0, 32);
}
} // namespace
, {"cvt.rni.s32.f32 $d, $a;", 32, 32, W{UNUSED;
return whole(std::nearbyint(as<float>(a)), S32_LEAST, S32_MOST, 0, 32);
}
}
, {"cvt.rmi.s32.f32 $d, $a;", 32, 32, W{UNUSED;
return whole(std::floor(as<float>(a)), S32_LEAST, S32_MOST, 0, 32);
}
}
, {"cvt.rpi.u32.f32 $d, $a;", 32, 32, W{UNUSED;
return whole(std::ceil(as<float>(a)), 0, U32_MOST, 0, 32);
}
}
, {"cvt.rpi.ftz.u32.f32 $d, $a;", 32, 32, W{UNUSED;
return whole(std::ceil(flush(as<float>(a))), 0, U32_MOST, 0, 32);
}
}
, {"cvt.rzi.s64.f32 %rd10, $a;", 64, 32, W{UNUSED;
return whole(std::trunc(as<float>(a)), S64_LEAST, S64_MOST, u64(1) << 63, 64);
}
}
, {"cvt.rzi.u64.f64 $d, $a;", 64, 64, W{UNUSED;
return whole(std::trunc(as<double>(a)), 0, U64_MOST, u64(1) << 63, 64);
}
}
, {"cvt.rni.s32.f64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64, W{UNUSED;
return whole(std::nearbyint(as<double>(a)), S32_LEAST, S32_MOST, 0x80000000,
             32);
}
}
, {"cvt.rzi.u8.f32 $d, $a;", 32, 32, W{UNUSED;
return whole(std::trunc(as<float>(a)), 0, 255, 0, 32);
}
}
, {"cvt.rzi.s16.f16 $d, $a;", 16, 16, W{UNUSED;
return whole(std::trunc(float(as<_Float16>(a))), -32768, 32767, 0, 16);
}
}
, {"cvt.rni.f32.f32 $d, $a;", 32, 32, W{UNUSED;
return to_bits(std::nearbyint(as<float>(a)));
}
, 'f'
}
, {"cvt.rpi.f64.f64 $d, $a;", 64, 64, W{UNUSED;
return to_bits(std::ceil(as<double>(a)));
}
, 'd'
}
, {"cvt.sat.f32.f32 $d, $a;", 32, 32, W{UNUSED;
float x = as<float>(a);
return to_bits(x > 0 ? std::fmin(x, 1.0f) : 0.0f);
}
}
,
});
}

#define IN_MODE(MODE, TYPE, EXPRESSION)                                        \
  W {                                                                          \
    UNUSED;                                                                    \
    volatile u64 v = a;                                                        \
    std::fesetround(MODE);                                                     \
    volatile TYPE result = [](u64 a) -> TYPE { return EXPRESSION; }(v);        \
    std::fesetround(FE_TONEAREST);                                             \
    return to_bits(TYPE(result));                                              \
  }

TEST_F(Ptx, ToFloatsInEveryMode) {
  check({
      {"cvt.rn.f32.s64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64,
       IN_MODE(FE_TONEAREST, float, float(s64(a)))},
      {"cvt.rz.f32.s64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64,
       IN_MODE(FE_TOWARDZERO, float, float(s64(a)))},
      {"cvt.rm.f32.s64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64,
       IN_MODE(FE_DOWNWARD, float, float(s64(a)))},
      {"cvt.rp.f32.u64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64,
       IN_MODE(FE_UPWARD, float, float(a))},
      {"cvt.rz.f32.u32 $d, $a;", 32, 32,
       IN_MODE(FE_TOWARDZERO, float, float(uint32_t(a)))},
      {"cvt.rm.f64.s64 $d, $a;", 64, 64,
       IN_MODE(FE_DOWNWARD, double, double(s64(a)))},
      {"cvt.rn.f64.s32 %rd10, $a;", 64, 32,
       W { UNUSED; return to_bits(double(int32_t(a)));
}
}
, {"cvt.rn.f32.s8 $d, $a;", 32, 32, W{UNUSED;
return to_bits(float(int8_t(a)));
}
}
,
    {"cvt.rn.f32.f64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64,
     IN_MODE(FE_TONEAREST, float, float(as<double>(a))), 'f'},
    {"cvt.rz.f32.f64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64,
     IN_MODE(FE_TOWARDZERO, float, float(as<double>(a))), 'f'},
    {"cvt.rp.f32.f64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64,
     IN_MODE(FE_UPWARD, float, float(as<double>(a))), 'f'},
    {"cvt.f64.f32 %rd10, $a;", 64, 32, W{UNUSED;
return to_bits(double(as<float>(a)));
}
, 'd'
}
, {"cvt.f64.ftz.f32 %rd10, $a;", 64, 32, W{UNUSED;
float x = as<float>(a);
return to_bits(double(std::copysign(flush(x), x)));
}
, 'd'
}
, {"cvt.rn.f16.f32 %h10, $a;\ncvt.u32.u16 $d, %h10;", 32, 32, W{UNUSED;
auto x = _Float16(as<float>(a));
return x != x ? 0x7fff : to_bits(x);
}
}
, {"cvt.rn.f16.f64 %h10, $a;\ncvt.u64.u16 $d, %h10;", 64, 64, W{UNUSED;
return to_bits(_Float16(as<double>(a)));
}
, 'h'
}
, {"cvt.f32.f16 %r10, %h11;\nmov.b32 %r10, %r10;", 32, 16, W{UNUSED;
return to_bits(float(as<_Float16>(a)));
}
, 'f'
}
, {"cvt.rn.bf16.f32 %h10, $a;\ncvt.u32.u16 $d, %h10;", 32, 32, W{UNUSED;
if (std::isnan(as<float>(a)))
  return 0x7fff;
return (a + 0x7fff + (a >> 16 & 1)) >> 16;
}
}
, {"cvt.rz.bf16.f32 %h10, $a;\ncvt.u32.u16 $d, %h10;", 32, 32, W{UNUSED;
return std::isnan(as<float>(a)) ? 0x7fff : a >> 16;
}
}
, {"cvt.rna.tf32.f32 $d, $a;", 32, 32, W{UNUSED;
if (std::isnan(as<float>(a)))
  return 0x7fffffff;
if (std::isinf(as<float>(a)))
  return a;
return (a + 0x1000) & ~u64(0x1fff);
}
}
, {"cvt.rn.f16x2.f32 $d, $a, $b;", 32, 32, W{UNUSED;
auto code = [](u64 bits) -> u64 {
  auto x = _Float16(as<float>(bits));
  return x != x ? 0x7fff : to_bits(x);
};
return code(a) << 16 | code(b);
}
}
, {"cvt.rn.relu.bf16x2.f32 $d, $a, $b;", 32, 32, W{UNUSED;
auto code = [](u64 x) -> u64 {
  if (std::isnan(as<float>(x)))
    return 0x7fff;
  return as<float>(x) > 0 ? (x + 0x7fff + (x >> 16 & 1)) >> 16 : 0;
};
return code(a) << 16 | code(b);
}
}
,
});
}

TEST_F(Ptx, IntegersToIntegers) {
  check({
      {"cvt.s64.s32 %rd10, $a;", 64, 32,
       W { UNUSED; return u64(s64(int32_t(a)));
}
}
, {"cvt.u64.u32 %rd10, $a;", 64, 32, W{UNUSED;
return a;
}
}
, {"cvt.s32.s8 $d, $a;", 32, 32, W{UNUSED;
return uint32_t(int8_t(a));
}
}
, {"cvt.u32.u8 $d, $a;", 32, 32, W{UNUSED;
return uint8_t(a);
}
}
, {"cvt.s16.s8 $d, $a;", 16, 16, W{UNUSED;
return uint16_t(int8_t(a));
}
}
, {"cvt.u32.u64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64, W{UNUSED;
return uint32_t(a);
}
}
, {"cvt.sat.u8.s32 $d, $a;", 32, 32, W{UNUSED;
return u64(std::clamp(int32_t(a), 0, 255));
}
}
, {"cvt.sat.s8.s32 $d, $a;", 32, 32, W{UNUSED;
return uint32_t(std::clamp(int32_t(a), -128, 127));
}
}
, {"cvt.sat.s32.u32 $d, $a;", 32, 32, W{UNUSED;
return std::min<u64>(a, INT32_MAX);
}
}
, {"cvt.sat.u32.s64 %r10, $a;\ncvt.u64.u32 $d, %r10;", 64, 64, W{UNUSED;
return u64(std::clamp<s64>(s64(a), 0, UINT32_MAX));
}
}
, {"cvt.sat.u64.s32 %rd10, $a;", 64, 32, W{UNUSED;
return u64(std::max<s64>(int32_t(a), 0));
}
}
, {"cvt.pack.sat.s16.s32 $d, $a, $b;", 32, 32, W{UNUSED;
auto code = [](u64 x) {
  return uint16_t(std::clamp(int32_t(x), -32768, 32767));
};
return uint32_t(code(a)) << 16 | code(b);
}
}
, {"cvt.pack.sat.u8.s32.b32 $d, $a, $b, $c;", 32, 32,
   W{auto code = [](u64 x) { return uint32_t(std::clamp(int32_t(x), 0, 255)); };
return uint32_t(c << 16) | code(a) << 8 | code(b);
}
}
,
});
}

TEST_F(Ptx, EightBitFloats) {
  check({
      {"cvt.rn.satfinite.e4m3x2.f32 %h10, $a, $b;\ncvt.u32.u16 $d, %h10;", 32,
       32,
       W { UNUSED;
         // By search: the nearest of all codes, the even one of two.
         auto code = [](u64 bits) -> u64 {
    double x = as<float>(bits);
    if (x != x)
      return 0x7f;
    u64 best = 0;
    double error = INFINITY, size = std::fabs(x);
    for (u64 n = 0; n < 0x7f; ++n) {
      double value = n < 8 ? std::ldexp(double(n), -9)
                           : std::ldexp(double(8 + (n & 7)), int(n >> 3) - 10);
      double off = std::fabs(value - size);
      if (off < error || (off == error && !(n & 1)))
        best = n, error = off;
    }
    if (size > 448)
      best = 0x7e;
    return best | (std::signbit(x) ? 0x80 : 0);
         };
         return code(a) << 8 | code(b);
}
}
, {"cvt.rn.f16x2.e5m2x2 $d, %h11;", 32, 16, W{UNUSED;
auto half = [](u64 code) -> u64 {
  return (code & 0x7f) > 0x7c ? 0x7fff : code << 8;
};
return half(a >> 8) << 16 | half(a & 0xff);
}
}
,
});
}

} // namespace
