// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floating-point arithmetic of PTX against the host, whose processor rounds in
// every mode.
#include "emulator/ptx/tests/ptx_test.h"

#include <cfenv>

#define W [](uint64_t a, uint64_t b, uint64_t c) -> uint64_t
#define UNUSED (void)a, (void)b, (void)c

namespace {

using u64 = uint64_t;

float f(u64 bits) { return as<float>(bits); }
double d(u64 bits) { return as<double>(bits); }
_Float16 h(u64 bits) { return as<_Float16>(bits); }

float flush(float x) {
  return std::fabs(x) < 0x1p-126f ? std::copysign(0.0f, x) : x;
}

float bf(u64 bits) { return as<float>(bits << 16); }

/// To bf16, to the nearest.
u64 to_bf(double x) {
  if (std::isnan(x))
    return 0x7fff;
  // 40 bits are cut off with a sticky bit; then a float's conversion is exact.
  u64 word = to_bits(float(x));
  u64 rest = word & 0xffff;
  bool up = rest > 0x8000 || (rest == 0x8000 && (word >> 16 & 1));
  return (word >> 16) + up;
}

/// The value of EXPRESSION, of TYPE, in the processor's rounding MODE.
#define ROUNDED(MODE, TYPE, EXPRESSION)                                        \
  W {                                                                          \
    UNUSED;                                                                    \
    volatile u64 va = a, vb = b, vc = c;                                       \
    std::fesetround(MODE);                                                     \
    volatile TYPE result = [](u64 a, u64 b, u64 c) -> TYPE {                   \
      UNUSED;                                                                  \
      return EXPRESSION;                                                       \
    }(va, vb, vc);                                                             \
    std::fesetround(FE_TONEAREST);                                             \
    return to_bits(TYPE(result));                                              \
  }

#define IN_EVERY_MODE(NAME, OPERANDS, TYPE, SUFFIX, BITS, EXPRESSION)          \
  {NAME ".rn." SUFFIX OPERANDS, BITS, BITS,                                    \
   ROUNDED(FE_TONEAREST, TYPE, EXPRESSION), SUFFIX[1] == '3' ? 'f' : 'd'},     \
      {NAME ".rz." SUFFIX OPERANDS, BITS, BITS,                                \
       ROUNDED(FE_TOWARDZERO, TYPE, EXPRESSION),                               \
       SUFFIX[1] == '3' ? 'f' : 'd'},                                          \
      {NAME ".rm." SUFFIX OPERANDS, BITS, BITS,                                \
       ROUNDED(FE_DOWNWARD, TYPE, EXPRESSION), SUFFIX[1] == '3' ? 'f' : 'd'},  \
  {                                                                            \
    NAME ".rp." SUFFIX OPERANDS, BITS, BITS,                                   \
        ROUNDED(FE_UPWARD, TYPE, EXPRESSION), SUFFIX[1] == '3' ? 'f' : 'd'     \
  }

TEST_F(Ptx, RoundsFloatsInEveryMode) {
  check({
      IN_EVERY_MODE("add", " $d, $a, $b;", float, "f32", 32, f(a) + f(b)),
      IN_EVERY_MODE("sub", " $d, $a, $b;", float, "f32", 32, f(a) - f(b)),
      IN_EVERY_MODE("mul", " $d, $a, $b;", float, "f32", 32, f(a) * f(b)),
      IN_EVERY_MODE("div", " $d, $a, $b;", float, "f32", 32, f(a) / f(b)),
      IN_EVERY_MODE("rcp", " $d, $a;", float, "f32", 32, 1 / f(a)),
      IN_EVERY_MODE("sqrt", " $d, $a;", float, "f32", 32, std::sqrt(f(a))),
      IN_EVERY_MODE("fma", " $d, $a, $b, $c;", float, "f32", 32,
                    std::fma(f(a), f(b), f(c))),
  });
}

TEST_F(Ptx, RoundsDoublesInEveryMode) {
  check({
      IN_EVERY_MODE("add", " $d, $a, $b;", double, "f64", 64, d(a) + d(b)),
      IN_EVERY_MODE("sub", " $d, $a, $b;", double, "f64", 64, d(a) - d(b)),
      IN_EVERY_MODE("mul", " $d, $a, $b;", double, "f64", 64, d(a) * d(b)),
      IN_EVERY_MODE("div", " $d, $a, $b;", double, "f64", 64, d(a) / d(b)),
      IN_EVERY_MODE("rcp", " $d, $a;", double, "f64", 64, 1 / d(a)),
      IN_EVERY_MODE("sqrt", " $d, $a;", double, "f64", 64, std::sqrt(d(a))),
      IN_EVERY_MODE("fma", " $d, $a, $b, $c;", double, "f64", 64,
                    std::fma(d(a), d(b), d(c))),
  });
}

/// Without .ftz subnormal numbers are kept, with it operands and results are
/// flushed to zeros of their sign.
TEST_F(Ptx, FlushesAndSaturates) {
  check({
      {"add.f32 $d, $a, $b;", 32, 32,
       W { UNUSED; return to_bits(f(a) + f(b));
}
, 'f'
} // namespace
, {"mul.f32 $d, $a, $b;", 32, 32, W{UNUSED;
return to_bits(f(a) * f(b));
}
, 'f'
}
, {"mul.ftz.f32 $d, $a, $b;", 32, 32, W{UNUSED;
return to_bits(flush(flush(f(a)) * flush(f(b))));
}
, 'f'
}
, {"fma.rn.ftz.f32 $d, $a, $b, $c;", 32, 32,
   W{return to_bits(flush(std::fma(flush(f(a)), flush(f(b)), flush(f(c)))));
}
, 'f'
}
, {"add.sat.f32 $d, $a, $b;", 32, 32, W{UNUSED;
float x = f(a) + f(b);
return to_bits(x > 0 ? std::fmin(x, 1.0f) : 0.0f);
}
}
, {"fma.rz.sat.f32 $d, $a, $b, $c;", 32, 32,
   W{volatile u64 va = a, vb = b, vc = c;
std::fesetround(FE_TOWARDZERO);
volatile float x = std::fma(f(va), f(vb), f(vc));
std::fesetround(FE_TONEAREST);
return to_bits(x > 0 ? std::fmin(float(x), 1.0f) : 0.0f);
}
}
, {"neg.f32 $d, $a;", 32, 32, W{UNUSED;
return a ^ 0x80000000;
}
, 'f'
}
, {"abs.ftz.f32 $d, $a;", 32, 32, W{UNUSED;
return to_bits(std::fabs(flush(f(a))));
}
, 'f'
}
, {"copysign.f32 $d, $a, $b;", 32, 32, W{UNUSED;
return (a & 0x80000000) | (b & 0x7fffffff);
}
}
, {"copysign.f64 $d, $a, $b;", 64, 64, W{UNUSED;
return a >> 63 << 63 | b << 1 >> 1;
}
}
,
});
}

/// -0 is less than +0; a NaN loses; two of them give the canonical one.
template <typename T> T lesser(T x, T y) {
  if (x != x)
    return y;
  if (y != y)
    return x;
  return x < y || (x == y && std::signbit(double(x))) ? x : y;
}

TEST_F(Ptx, MinimaAndMaxima) {
  check({
      {"min.f32 $d, $a, $b;", 32, 32,
       W { UNUSED;
         float x = lesser(f(a), f(b));
         return x != x ? 0x7fffffff : to_bits(x);
}
}
, {"max.f32 $d, $a, $b;", 32, 32, W{UNUSED;
float x = -lesser(-f(a), -f(b));
return x != x ? 0x7fffffff : to_bits(x);
}
}
, {"min.NaN.f32 $d, $a, $b;", 32, 32, W{UNUSED;
if (f(a) != f(a) || f(b) != f(b))
  return 0x7fffffff;
return to_bits(lesser(f(a), f(b)));
}
}
, {"max.f64 $d, $a, $b;", 64, 64, W{UNUSED;
return to_bits(-lesser(-d(a), -d(b)));
}
, 'd'
}
, {"min.f16 $d, $a, $b;", 16, 16, W{UNUSED;
_Float16 x = lesser(h(a), h(b));
return x != x ? 0x7fff : to_bits(x);
}
}
, {"max.bf16 $d, $a, $b;", 16, 16, W{UNUSED;
return to_bf(-lesser(-bf(a), -bf(b)));
}
, 'i'
}
, {"min.xorsign.abs.f32 $d, $a, $b;", 32, 32, W{UNUSED;
float x = lesser(std::fabs(f(a)), std::fabs(f(b)));
if (x != x)
  return 0x7fffffff;
return to_bits(std::fabs(x)) | ((a ^ b) & 0x80000000);
}
}
,
});
}

u64 half_pair(u64 a, u64 b, _Float16 (*make)(_Float16, _Float16)) {
  return to_bits(make(h(a >> 16), h(b >> 16))) << 16 |
         to_bits(make(h(a), h(b)));
}

TEST_F(Ptx, Halves) {
  check({
      {"add.f16 $d, $a, $b;", 16, 16,
       W { UNUSED; return to_bits(_Float16(h(a) + h(b)));
}
, 'h'
}
, {"mul.rn.f16 $d, $a, $b;", 16, 16, W{UNUSED;
return to_bits(_Float16(h(a) * h(b)));
}
, 'h'
}
, {"sub.sat.f16 $d, $a, $b;", 16, 16, W{UNUSED;
_Float16 x = h(a) - h(b);
return to_bits(x > 0 ? (x < 1 ? x : _Float16(1)) : _Float16(0));
}
}
, {"fma.rn.f16 $d, $a, $b, $c;", 16, 16,
   W{// The product and the sum are exact in a long double.
     return to_bits(_Float16((long double)h(a) * h(b) + h(c)));
}
, 'h'
}
, {"fma.rn.relu.f16 $d, $a, $b, $c;", 16, 16,
   W{auto x = _Float16((long double)h(a) * h(b) + h(c));
return x != x ? 0x7fff : x > 0 ? to_bits(x) : 0;
}
}
, {"and.b32 $t, $a, 0x7bff7bff;\nand.b32 $u, $b, 0x7bff7bff;\n"
   "add.f16x2 $d, $t, $u;",
   32, 32, W{UNUSED;
return half_pair(a & 0x7bff7bff, b & 0x7bff7bff,
                 [](_Float16 x, _Float16 y) { return _Float16(x + y); });
}
}
, {"add.rn.bf16 $d, $a, $b;", 16, 16, W{UNUSED;
return to_bf(bf(a) + bf(b));
}
}
, {"mul.rn.bf16 $d, $a, $b;", 16, 16, W{UNUSED;
return to_bf(bf(a) * bf(b));
}
}
, {"fma.rn.bf16 $d, $a, $b, 0;", 16, 16, W{UNUSED;
return to_bf(double(bf(a)) * bf(b) + 0.0);
}
}
, {"neg.f16x2 $d, $a;", 32, 32, W{UNUSED;
return a ^ 0x80008000;
}
}
, {"abs.bf16x2 $d, $a;", 32, 32, W{UNUSED;
return a & 0x7fff7fff;
}
}
,
});
}

/// As good as PTX documents at least.
TEST_F(Ptx, Approximations) {
  check({
      {"rcp.approx.f32 $d, $a;", 32, 32,
       W { UNUSED; return to_bits(1 / f(a));
}
, 'f', 0x1p-23
}
, {"sqrt.approx.f32 $d, $a;", 32, 32, W{UNUSED;
return to_bits(std::sqrt(f(a)));
}
, 'f', 0x1p-22
}
, {"rsqrt.approx.f32 $d, $a;", 32, 32, W{UNUSED;
return to_bits(float(1 / std::sqrt(double(f(a)))));
}
, 'f', 0x1p-22
}
, {"rsqrt.approx.f64 $d, $a;", 64, 64, W{UNUSED;
return to_bits(1 / std::sqrt(d(a)));
}
, 'd', 0x1p-50
}
, {"div.full.f32 $d, $a, $b;", 32, 32, W{UNUSED;
return to_bits(f(a) / f(b));
}
, 'f', 0x1p-22, 0x1p-148
}
, {"lg2.approx.f32 $d, $a;", 32, 32, W{UNUSED;
return to_bits(std::log2(f(a)));
}
, 'f', 0x1p-22, 0x1p-22
}
, {"ex2.approx.f32 $d, $a;", 32, 32, W{UNUSED;
return to_bits(std::exp2(f(a)));
}
, 'f', 0x1p-22, 0x1p-148
}
, {"tanh.approx.f32 $d, $a;", 32, 32, W{UNUSED;
return to_bits(std::tanh(f(a)));
}
, 'f', 0x1p-11
}
, {"tanh.approx.f16 $d, $a;", 16, 16, W{UNUSED;
return to_bits(_Float16(std::tanh(float(h(a)))));
}
, 'h', 0x1p-10
}
, {"rcp.approx.ftz.f64 $d, $a;", 64, 64, W{UNUSED;
double x = std::fabs(d(a)) < 0x1p-1022 ? std::copysign(0, d(a)) : d(a);
x = 1 / x;
return to_bits(std::fabs(x) < 0x1p-1022 ? std::copysign(0, x) : x);
}
, 'd', 0x1p-19
}
,
    // Within two turns.
    {"and.b32 $t, $a, 0xc0ffffff;\nsin.approx.f32 $d, $t;", 32, 32, W{UNUSED;
return to_bits(std::sin(f(a & 0xc0ffffff)));
}
, 'f', 0, 0x1p-20
}
, {"and.b32 $t, $a, 0xc0ffffff;\ncos.approx.f32 $d, $t;", 32, 32, W{UNUSED;
return to_bits(std::cos(f(a & 0xc0ffffff)));
}
, 'f', 0, 0x1p-20
}
,
});
}

} // namespace
