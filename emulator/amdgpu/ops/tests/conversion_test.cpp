//===-- emulator/amdgpu/ops/tests/conversion_test.cpp ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions between float formats and from and to integers, in every rounding
// mode.
//===----------------------------------------------------------------------===//
#include "call.h"
#include "oracle.h"
#include <cmath>
#include <gtest/gtest.h>

namespace gpuexec::emulator::ops::tests {
namespace {

int copy(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_set(r, v[0], round);
}

TEST(Conversions, BetweenFormats) {
  struct {
    const char *mnemonic;
    const Format &to, &from;
  } cases[] = {{"v_cvt_f16_f32", HALF, SINGLE},
               {"v_cvt_f32_f64", SINGLE, DOUBLE},
               {"v_cvt_f64_f32", DOUBLE, SINGLE}};
  for (auto &c : cases) {
    std::vector<uint64_t> values = hard_values(c.from);
    Random random(c.from);
    std::mt19937_64 engine(3);
    for (unsigned i = 0; i < 50000; ++i)
      values.push_back(random());
    for (unsigned i = 0; i < 50000;
         ++i) // halfway and next to it, over the target's whole range
    {
      int drop = c.from.frac_bits - c.to.frac_bits;
      uint64_t exponent = uint64_t(c.from.bias() - c.to.bias()) +
                          engine() % uint64_t(2 * c.to.bias() + 40) - 20;
      uint64_t value =
          (exponent << c.from.frac_bits) | (engine() & (c.from.hidden() - 1));
      if (drop > 0)
        value =
            ((value >> drop) << drop) + (1ull << (drop - 1)) + engine() % 3 - 1;
      values.push_back(value & (2 * c.from.sign_bit() - 1));
    }
    for (Round round : {Round::nearest, Round::up, Round::down, Round::zero})
      for (uint64_t value : values) {
        FloatMode mode;
        mode.round32 = mode.round64_16 = round;
        uint64_t expected = evaluate(c.to, c.from, round, copy, {value});
        uint64_t actual = functions().at(c.mnemonic).call(mode, &value).value;
        ASSERT_TRUE(same(c.to, expected, actual))
            << c.mnemonic << std::hex << " " << value << " round " << int(round)
            << ": " << actual << ", expected " << expected;
        if (std::string(c.mnemonic) == "v_cvt_f16_f32") {
          uint64_t both[2] = {value, value};
          uint64_t packed =
              functions().at("v_cvt_pkrtz_f16_f32").call(mode, both).value;
          uint64_t towards_zero =
              evaluate(HALF, SINGLE, Round::zero, copy, {value});
          ASSERT_TRUE(same(HALF, towards_zero, packed & 0xffff) &&
                      packed >> 16 == (packed & 0xffff))
              << std::hex << value << ": " << packed << ", expected "
              << towards_zero;
        }
      }
  }
}

TEST(Conversions, IntegersInEveryRoundingMode) {
  std::mt19937_64 engine(4);
  for (unsigned i = 0; i < 100000; ++i) {
    uint64_t value = uint32_t(engine()) >> (engine() % 32);
    for (Round round : {Round::nearest, Round::up, Round::down, Round::zero}) {
      FloatMode mode;
      mode.round32 = round;
      uint64_t as_signed = bits_of(double(int32_t(value))),
               as_unsigned = bits_of(double(value));
      ASSERT_EQ(functions().at("v_cvt_f32_i32").call(mode, &value).value,
                evaluate(SINGLE, DOUBLE, round, copy, {as_signed}));
      ASSERT_EQ(functions().at("v_cvt_f32_u32").call(mode, &value).value,
                evaluate(SINGLE, DOUBLE, round, copy, {as_unsigned}));
    }
    ASSERT_EQ(functions().at("v_cvt_f64_i32").call(DEFAULT_MODE, &value).value,
              bits_of(double(int32_t(value))));
    ASSERT_EQ(functions().at("v_cvt_f64_u32").call(DEFAULT_MODE, &value).value,
              bits_of(double(value)));
  }
}

template <typename T> uint64_t saturated(T v, bool is_signed) {
  if (v != v)
    return 0;
  long double whole = std::trunc((long double)v);
  long double low = is_signed ? -0x1p31L : 0,
              high = is_signed ? 0x1p31L - 1 : 0x1p32L - 1;
  return uint32_t(int64_t(whole < low ? low : whole > high ? high : whole));
}

TEST(Conversions, ToIntegersTruncateAndSaturate) {
  Random singles(SINGLE), doubles(DOUBLE);
  std::vector<uint64_t> single_values = hard_values(SINGLE),
                        double_values = hard_values(DOUBLE);
  std::mt19937_64 engine(5);
  for (unsigned i = 0; i < 100000; ++i) {
    single_values.push_back(singles());
    double_values.push_back(doubles());
    single_values.push_back(bits_of(
        float(int64_t(engine() >> (engine() % 34 + 28)) - (1 << 30)) / 2));
    double_values.push_back(bits_of(
        double(int64_t(engine() >> (engine() % 34 + 28)) - (1ll << 32)) / 4));
  }
  for (double edge : {0x1p31, -0x1p31, 0x1p32, -0x1p32})
    for (double step : {-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5}) {
      single_values.push_back(bits_of(float(edge + step)));
      double_values.push_back(bits_of(edge + step));
    }
  for (uint64_t value : single_values) {
    float v = f32(uint32_t(value));
    ASSERT_EQ(functions().at("v_cvt_i32_f32").call(DEFAULT_MODE, &value).value,
              saturated(v, true))
        << v;
    ASSERT_EQ(functions().at("v_cvt_u32_f32").call(DEFAULT_MODE, &value).value,
              saturated(v, false))
        << v;
    ASSERT_EQ(
        functions().at("v_cvt_flr_i32_f32").call(DEFAULT_MODE, &value).value,
        saturated(std::floor(v), true))
        << v;
    ASSERT_EQ(
        functions().at("v_cvt_rpi_i32_f32").call(DEFAULT_MODE, &value).value,
        saturated(std::floor((long double)v + 0.5L), true))
        << v;
  }
  for (uint64_t value : double_values) {
    double v = f64(value);
    ASSERT_EQ(functions().at("v_cvt_i32_f64").call(DEFAULT_MODE, &value).value,
              saturated(v, true))
        << v;
    ASSERT_EQ(functions().at("v_cvt_u32_f64").call(DEFAULT_MODE, &value).value,
              saturated(v, false))
        << v;
  }
}

} // namespace
} // namespace gpuexec::emulator::ops::tests
