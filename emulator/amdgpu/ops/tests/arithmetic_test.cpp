//===-- emulator/amdgpu/ops/tests/arithmetic_test.cpp ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float arithmetic against MPFR: hard and random operands, every rounding mode,
// every denormal mode.
//===----------------------------------------------------------------------===//
#include "call.h"
#include "oracle.h"
#include <gtest/gtest.h>

namespace gpuexec::emulator::ops::tests {
namespace {

constexpr Round ROUNDS[] = {Round::nearest, Round::up, Round::down,
                            Round::zero};
constexpr u8 DENORMS[] = {FLUSH_ALL, KEEP_INPUT, KEEP_OUTPUT, KEEP_ALL};

FloatMode mode_with(Round round, u8 denorm) {
  FloatMode mode;
  mode.round32 = mode.round64_16 = round;
  mode.denorm32 = mode.denorm64_16 = denorm;
  return mode;
}

int add(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_add(r, v[0], v[1], round);
}
int sub(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_sub(r, v[0], v[1], round);
}
int subrev(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_sub(r, v[1], v[0], round);
}
int mul(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_mul(r, v[0], v[1], round);
}
int fma(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_fma(r, v[0], v[1], v[2], round);
}

struct Case {
  const char *mnemonic;
  const Format &format;
  Operation operation;
};

class Arithmetic : public testing::TestWithParam<Case> {
protected:
  void check(const FloatMode &mode, const std::vector<uint64_t> &operands) {
    const Case &c = GetParam();
    uint64_t expected = evaluate_flushing(c.format, mode.round32, mode.denorm32,
                                          c.operation, operands);
    uint64_t actual =
        functions().at(c.mnemonic).call(mode, operands.data()).value;
    ASSERT_TRUE(same(c.format, expected, actual))
        << c.mnemonic << std::hex << " " << operands[0] << " " << operands[1]
        << " " << (operands.size() > 2 ? operands[2] : 0) << " round "
        << int(mode.round32) << " denorm " << int(mode.denorm32) << ": "
        << actual << ", expected " << expected;
  }
};

TEST_P(Arithmetic, HardPairsInEveryMode) {
  unsigned operands = functions().at(GetParam().mnemonic).operands;
  std::vector<uint64_t> hard = hard_values(GetParam().format);
  for (Round round : ROUNDS)
    for (u8 denorm : DENORMS)
      for (size_t i = 0; i < hard.size(); ++i)
        for (size_t j = 0; j < hard.size(); ++j) {
          std::vector<uint64_t> values = {hard[i], hard[j],
                                          hard[(i * 7 + j * 3) % hard.size()]};
          values.resize(operands);
          ASSERT_NO_FATAL_FAILURE(check(mode_with(round, denorm), values));
        }
}

TEST_P(Arithmetic, RandomOperandsInEveryMode) {
  unsigned operands = functions().at(GetParam().mnemonic).operands;
  Random random(GetParam().format);
  for (Round round : ROUNDS)
    for (u8 denorm : {u8(KEEP_ALL), u8(FLUSH_ALL)})
      for (unsigned i = 0; i < 20000; ++i) {
        std::vector<uint64_t> values = {random(), random(), random()};
        values.resize(operands);
        ASSERT_NO_FATAL_FAILURE(check(mode_with(round, denorm), values));
      }
}

INSTANTIATE_TEST_SUITE_P(
    Ops, Arithmetic,
    testing::Values(
        Case{"v_add_f32", SINGLE, add}, Case{"v_sub_f32", SINGLE, sub},
        Case{"v_subrev_f32", SINGLE, subrev}, Case{"v_mul_f32", SINGLE, mul},
        Case{"v_fma_f32", SINGLE, fma}, Case{"v_fmac_f32", SINGLE, fma},
        Case{"v_add_f64", DOUBLE, add}, Case{"v_mul_f64", DOUBLE, mul},
        Case{"v_fma_f64", DOUBLE, fma}, Case{"v_fmac_f64", DOUBLE, fma},
        Case{"v_add_f16", HALF, add}, Case{"v_sub_f16", HALF, sub},
        Case{"v_subrev_f16", HALF, subrev}, Case{"v_mul_f16", HALF, mul},
        Case{"v_fma_f16", HALF, fma}),
    [](const testing::TestParamInfo<Case> &info) {
      return std::string(info.param.mnemonic);
    });

// The unfused ones always flush: product and sum are rounded each.
TEST(Mad, RoundsTwiceAndFlushes) {
  struct {
    const char *mnemonic;
    const Format &format;
  } cases[] = {{"v_mad_f32", SINGLE},
               {"v_mac_f32", SINGLE},
               {"v_mad_f16", HALF},
               {"v_mac_f16", HALF}};
  for (auto &c : cases) {
    Random random(c.format);
    for (Round round : ROUNDS)
      for (unsigned i = 0; i < 20000; ++i) {
        uint64_t v[3] = {random(), random(), random()};
        uint64_t product =
            evaluate_flushing(c.format, round, FLUSH_ALL, mul, {v[0], v[1]});
        uint64_t expected =
            evaluate_flushing(c.format, round, FLUSH_ALL, add, {product, v[2]});
        uint64_t actual = functions()
                              .at(c.mnemonic)
                              .call(mode_with(round, KEEP_ALL), v)
                              .value;
        ASSERT_TRUE(same(c.format, expected, actual))
            << c.mnemonic << std::hex << " " << v[0] << " " << v[1] << " "
            << v[2] << ": " << actual << ", expected " << expected;
      }
  }
}

TEST(Ldexp, MatchesMpfrInEveryMode) {
  struct {
    const char *mnemonic;
    const Format &format;
    std::vector<int> exponents;
  } cases[] = {
      {"v_ldexp_f16",
       HALF,
       {0, 1, -1, 10, -10, 11, -11, 24, -24, 25, -25, 40, -40, 32767, -32768}},
      {"v_ldexp_f32",
       SINGLE,
       {0, 1, -1, 23, -23, 24, -24, 126, -127, 149, -149, 150, -150, 276, -277,
        278, 2147483647, -2147483647 - 1}},
      {"v_ldexp_f64",
       DOUBLE,
       {0, 1, -1, 52, -52, 53, -53, 1022, -1023, 1074, -1074, 1075, -1075, 2097,
        -2098, 2147483647, -2147483647 - 1}}};
  for (auto &c : cases) {
    Random random(c.format);
    std::vector<uint64_t> values = hard_values(c.format);
    for (unsigned i = 0; i < 500; ++i)
      values.push_back(random());
    for (Round round : ROUNDS)
      for (u8 denorm : DENORMS)
        for (uint64_t value : values)
          for (int n : c.exponents) {
            static thread_local long power;
            power = std::max(-20000, std::min(20000, n));
            Operation scale = [](mpfr_t r, mpfr_t *v, mpfr_rnd_t rnd) {
              return mpfr_mul_2si(r, v[0], power, rnd);
            };
            uint64_t expected =
                evaluate_flushing(c.format, round, denorm, scale, {value});
            uint64_t operands[2] = {value, uint64_t(int64_t(n))};
            uint64_t actual = functions()
                                  .at(c.mnemonic)
                                  .call(mode_with(round, denorm), operands)
                                  .value;
            ASSERT_TRUE(same(c.format, expected, actual))
                << c.mnemonic << std::hex << " " << value << std::dec << " "
                << n << " round " << int(round) << " denorm " << int(denorm)
                << std::hex << ": " << actual << ", expected " << expected;
          }
  }
}

} // namespace
} // namespace gpuexec::emulator::ops::tests
