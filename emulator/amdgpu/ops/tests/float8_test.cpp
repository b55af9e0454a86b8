//===-- emulator/amdgpu/ops/tests/float8_test.cpp - 8-bit floats ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every code of the four formats of 8-bit floats, in both directions, against
// LLVM's APFloat: gfx942's (FNUZ) and RDNA 4's (OCP).
//===----------------------------------------------------------------------===//
#include "call.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace gpuexec::emulator::ops::tests {
namespace {

using llvm::APFloat;
using llvm::APInt;

struct Format8 {
  const char *name;   // in the mnemonic
  const char *suffix; // of the row
  const llvm::fltSemantics &semantics;
};
const Format8 &format(size_t k) {
  static const Format8 all[] = {{"fp8", "", APFloat::Float8E4M3FNUZ()},
                                {"bf8", "", APFloat::Float8E5M2FNUZ()},
                                {"fp8", "_ocp", APFloat::Float8E4M3FN()},
                                {"bf8", "_ocp", APFloat::Float8E5M2()}};
  return all[k];
}

class Float8 : public testing::TestWithParam<size_t> {
protected:
  const Format8 &f = format(GetParam());

  Function function(const std::string &before, const char *after) const {
    return functions().at(before + f.name + after + f.suffix);
  }
  APFloat value(unsigned code) const {
    return APFloat(f.semantics, APInt(8, code));
  }
  /// The float that a code stands for.
  float widened(unsigned code) const {
    APFloat v = value(code);
    bool inexact = false;
    v.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &inexact);
    EXPECT_FALSE(inexact);
    return v.convertToFloat();
  }
  unsigned narrowed(float v, llvm::RoundingMode round) const {
    APFloat wide(v);
    bool inexact = false;
    wide.convert(f.semantics, round, &inexact);
    return unsigned(wide.bitcastToAPInt().getZExtValue());
  }
  /// Equal, or both NaN of one sign: payloads are the implementation's.
  bool same(unsigned a, unsigned b) const {
    return a == b ||
           (value(a).isNaN() && value(b).isNaN() && (a & 0x80) == (b & 0x80));
  }
  /// The floats at and around each code and each border between two.
  std::vector<float> inputs() const {
    std::vector<float> all = {
        0.0f,       -0.0f,    INFINITY,   -INFINITY, NAN,    -NAN,   0x1p-149f,
        -0x1p-126f, 0x1p-20f, 0x1.8p-18f, 3e38f,     449.0f, 464.0f, 464.1f,
        480.0f,     61440.0f, 61439.9f,   240.0f,    247.9f, 248.0f, 65536.0f};
    for (unsigned code = 0; code < 256; ++code) {
      const float at = widened(code), next = widened((code + 1) & 255);
      for (float v : {at, (at + next) / 2, at + (next - at) / 4})
        for (float near :
             {v, std::nextafter(v, INFINITY), std::nextafter(v, -INFINITY)})
          all.push_back(near);
    }
    std::mt19937 random(8);
    for (unsigned k = 0; k < 200000; ++k)
      all.push_back(f32(u32(random())));
    for (unsigned k = 0; k < 200000; ++k) // of the format's own size
      all.push_back(std::ldexp(f32(u32(random()) >> 9 | 0x3f800000),
                               int(random() % 40) - 22) *
                    (random() % 2 ? 1 : -1));
    return all;
  }
};

TEST_P(Float8, ToFloat) {
  const Function one = function("v_cvt_f32_", ""),
                 two = function("v_cvt_pk_f32_", "");
  for (unsigned code = 0; code < 256; ++code) {
    const uint64_t operand = code;
    const float expected = widened(code),
                actual = f32(u32(one.call(DEFAULT_MODE, &operand).value));
    if (expected != expected)
      EXPECT_TRUE(actual != actual) << std::hex << code;
    else
      EXPECT_EQ(bits_of(actual), bits_of(expected)) << std::hex << code;
    const uint64_t both = code | (code ^ 0x55) << 8, other = code ^ 0x55,
                   pair = two.call(DEFAULT_MODE, &both).value;
    EXPECT_EQ(u32(pair), one.call(DEFAULT_MODE, &operand).value);
    EXPECT_EQ(pair >> 32, one.call(DEFAULT_MODE, &other).value);
  }
}

TEST_P(Float8, FromFloat) {
  const Function pack = function("v_cvt_pk_", "_f32");
  for (float v : inputs()) {
    const uint64_t operands[] = {bits_of(v), bits_of(-v)};
    const unsigned both = unsigned(pack.call(DEFAULT_MODE, operands).value);
    const unsigned expected = narrowed(v, APFloat::rmNearestTiesToEven),
                   negated = narrowed(-v, APFloat::rmNearestTiesToEven);
    ASSERT_TRUE(same(both & 0xff, expected) && same(both >> 8, negated))
        << v << " gives " << std::hex << both << ", expected " << expected
        << " and " << negated;
  }
}

TEST_P(Float8, EveryCodeComesBack) {
  const Function pack = function("v_cvt_pk_", "_f32");
  for (unsigned code = 0; code < 256; ++code) {
    const uint64_t operands[] = {bits_of(widened(code)), 0};
    EXPECT_TRUE(same(unsigned(pack.call(DEFAULT_MODE, operands).value), code))
        << std::hex << code;
  }
}

// Up from the neighbour below if the part above it, in units of the distance to
// the next, and the random number as a fraction of 1 come to 1 or more.
TEST_P(Float8, Stochastically) {
  const Function stochastic = function("v_cvt_sr_", "_f32");
  std::mt19937 random(9);
  for (float v : inputs()) {
    const u32 draw = u32(random());
    const uint64_t operands[] = {bits_of(v), draw};
    const unsigned actual =
        unsigned(stochastic.call(DEFAULT_MODE, operands).value);
    const float magnitude = std::fabs(v);
    const unsigned below = narrowed(magnitude, APFloat::rmTowardZero);
    unsigned expected = below;
    if (magnitude <= widened(narrowed(3e38f, APFloat::rmTowardZero)) ||
        magnitude != magnitude) {
      const double from = widened(below), to = widened(below + 1);
      if ((magnitude - from) / (to - from) + draw * 0x1p-32 >= 1)
        expected = below + 1;
      if (magnitude != magnitude)
        expected = narrowed(magnitude, APFloat::rmNearestTiesToEven);
    } else {
      continue; // FromFloat tests what is too large
    }
    const unsigned sign = std::signbit(v) ? 0x80 : 0;
    if (!value(expected).isNaN() && (expected || f.suffix[0]))
      expected |= sign; // FNUZ has no -0
    else if (f.suffix[0])
      expected |= sign;
    ASSERT_TRUE(same(actual, expected))
        << v << " with " << std::hex << draw << " gives " << actual
        << ", expected " << expected;
  }
}

TEST_P(Float8, WhatIsTooLarge) {
  for (float v : {1e6f, 3e38f, INFINITY, -1e6f, -INFINITY}) {
    const uint64_t operands[] = {bits_of(v), 0};
    const unsigned nearest = narrowed(v, APFloat::rmNearestTiesToEven);
    for (const Function &to :
         {function("v_cvt_pk_", "_f32"), function("v_cvt_sr_", "_f32")})
      EXPECT_TRUE(
          same(unsigned(to.call(DEFAULT_MODE, operands).value) & 0xff, nearest))
          << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Formats, Float8, testing::Range<size_t>(0, 4),
                         [](const auto &info) {
                           const Format8 &f = format(info.param);
                           return std::string(f.name) +
                                  (f.suffix[0] ? "_ocp" : "_fnuz");
                         });

} // namespace
} // namespace gpuexec::emulator::ops::tests
