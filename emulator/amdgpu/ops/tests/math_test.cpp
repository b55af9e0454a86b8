//===-- emulator/amdgpu/ops/tests/math_test.cpp ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Division as clang expands it, approximations within the guide's accuracy, and
// all 65536 halves for every function of one half.
//===----------------------------------------------------------------------===//
#include "call.h"
#include "oracle.h"
#include <cmath>
#include <gtest/gtest.h>

namespace gpuexec::emulator::ops::tests {
namespace {

/// The sequence that LLVM's AMDGPU backend makes of a correctly rounded float
/// division.
float divide(float n, float d) {
  const FloatMode &m = DEFAULT_MODE;
  float scaled_d = v_div_scale_f32(d, d, n).value;
  WithBit<float> scaled_n = v_div_scale_f32(n, d, n);
  float rcp = v_rcp_f32(m, scaled_d);
  float e = v_fma_f32(m, -scaled_d, rcp, 1.0f);
  float r = v_fma_f32(m, e, rcp, rcp);
  float q = v_mul_f32(m, scaled_n.value, r);
  float rest = v_fma_f32(m, -scaled_d, q, scaled_n.value);
  q = v_fma_f32(m, rest, r, q);
  rest = v_fma_f32(m, -scaled_d, q, scaled_n.value);
  return v_div_fixup_f32(m, v_div_fmas_f32(m, rest, r, q, scaled_n.bit), d, n);
}

/// The same for double.
double divide(double n, double d) {
  const FloatMode &m = DEFAULT_MODE;
  double scaled_d = v_div_scale_f64(d, d, n).value;
  WithBit<double> scaled_n = v_div_scale_f64(n, d, n);
  double r = v_rcp_f64(m, scaled_d);
  double e = v_fma_f64(m, -scaled_d, r, 1.0);
  r = v_fma_f64(m, r, e, r);
  e = v_fma_f64(m, -scaled_d, r, 1.0);
  r = v_fma_f64(m, r, e, r);
  double q = v_mul_f64(m, scaled_n.value, r);
  double rest = v_fma_f64(m, -scaled_d, q, scaled_n.value);
  return v_div_fixup_f64(m, v_div_fmas_f64(m, rest, r, q, scaled_n.bit), d, n);
}

template <typename T> void check_division(uint64_t n, uint64_t d) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  T a = from_bits<T>(n), b = from_bits<T>(d);
  uint64_t expected = bits_of(T(a / b)), actual = bits_of(divide(a, b));
  ASSERT_TRUE(same(f, expected, actual)) << std::hex << n << " / " << d << ": "
                                         << actual << ", expected " << expected;
}

template <typename T> void check_divisions(unsigned count) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  for (uint64_t n : hard_values(f))
    for (uint64_t d : hard_values(f))
      ASSERT_NO_FATAL_FAILURE(check_division<T>(n, d));
  Random random(f);
  for (unsigned i = 0; i < count; ++i)
    ASSERT_NO_FATAL_FAILURE(check_division<T>(random(), random()));
  // Quotients around the edge of the denormals and ties among them.
  std::mt19937_64 engine(2);
  for (unsigned i = 0; i < count; ++i) {
    uint64_t fraction = f.hidden() - 1;
    uint64_t d = (engine() & fraction) | (engine() % (2 * f.bias() - 1) + 1)
                                             << f.frac_bits;
    if (i % 2)
      d &= ~(fraction >> (engine() % f.frac_bits));
    int64_t exponent = int64_t(d >> f.frac_bits) - f.bias() -
                       int64_t(engine() % (f.frac_bits + 4)) + 2;
    uint64_t n = (i % 4 < 2 ? d & fraction : engine() & fraction) |
                 (exponent > 0 ? uint64_t(exponent) : 0) << f.frac_bits;
    ASSERT_NO_FATAL_FAILURE(check_division<T>(n, d));
  }
}

TEST(Division, FloatIsCorrectlyRounded) { check_divisions<float>(1000000); }
TEST(Division, DoubleIsCorrectlyRounded) { check_divisions<double>(1000000); }

/// Checks that operands for which div_scale_is_copy() returns true are copied.
/// Their exponents are multiples of `step`. Returns how many there were.
template <typename T> unsigned check_copies(u32 step) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  constexpr unsigned LOWER = f.frac_bits - f.frac_bits % 32; // 0 or 32 bits
  constexpr u32 ALL = (1u << f.frac_bits % 32) - 1;
  unsigned copies = 0;
  for (u32 n = 0; n < 2 * u32(f.bias()) + 2; n += step)
    for (u32 d = 0; d < 2 * u32(f.bias()) + 2; d += step)
      for (u32 fraction : {0u, 1u, ALL}) {
        const u32 words[] = {n << f.frac_bits % 32 | fraction,
                             d << f.frac_bits % 32 | (fraction ^ 1)};
        for (u32 value : words) {
          if (!div_scale_is_copy<T>(value, words[1], words[0]))
            continue;
          ++copies;
          auto number = [](u32 upper) {
            return from_bits<T>(uint64_t(upper) << LOWER);
          };
          const auto scaled =
              div_scale(number(value), number(words[1]), number(words[0]));
          EXPECT_EQ(bits_of(scaled.value), bits_of(number(value)))
              << std::hex << words[0] << " / " << words[1];
          EXPECT_FALSE(scaled.bit) << std::hex << words[0] << " / " << words[1];
          if (testing::Test::HasFailure())
            return copies;
        }
      }
  return copies;
}

TEST(Division, FloatsThatNeedNoScalingAreCopied) {
  EXPECT_GT(check_copies<float>(1), 200000u);
}
TEST(Division, DoublesThatNeedNoScalingAreCopied) {
  EXPECT_GT(check_copies<double>(3), 200000u);
}

// mpfr functions that have no division or power in MPFR's own names.
int rcp(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_ui_div(r, 1, v[0], round);
}
int sqrt(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_sqrt(r, v[0], round);
}
int rsq(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  if (mpfr_zero_p(v[0])) { // IEEE's rSqrt(-0) is -infinity, MPFR's is not
    mpfr_set_inf(r, mpfr_signbit(v[0]) ? -1 : 1);
    return 0;
  }
  return mpfr_rec_sqrt(r, v[0], round);
}
int exp2(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_exp2(r, v[0], round);
}
int log2(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_log2(r, v[0], round);
}
int turns(mpfr_t r, mpfr_t *v, mpfr_rnd_t round,
          int (*f)(mpfr_t, const mpfr_t, mpfr_rnd_t), bool cosine) {
  if (!mpfr_number_p(v[0])) {
    mpfr_set_nan(r);
    return 0;
  }
  // Whole turns go exactly; quarters have exact results, which pi would miss.
  mpfr_t turn;
  mpfr_init2(turn, 200);
  mpfr_frac(turn, v[0], MPFR_RNDN);
  mpfr_t quarters;
  mpfr_init2(quarters, 200);
  mpfr_mul_ui(quarters, turn, 4, MPFR_RNDN);
  int ternary = 0;
  if (mpfr_integer_p(quarters)) {
    long n = (mpfr_get_si(quarters, MPFR_RNDN) + (cosine ? 1 : 0)) & 3;
    mpfr_set_si(r, n == 1 ? 1 : n == 3 ? -1 : 0, MPFR_RNDN);
    if (!cosine && mpfr_zero_p(v[0]))
      mpfr_setsign(r, r, mpfr_signbit(v[0]), MPFR_RNDN);
  } else {
    mpfr_t pi;
    mpfr_init2(pi, 200);
    mpfr_const_pi(pi, MPFR_RNDN);
    mpfr_mul(turn, turn, pi, MPFR_RNDN);
    mpfr_mul_2ui(turn, turn, 1, MPFR_RNDN);
    ternary = f(r, turn, round);
    mpfr_clear(pi);
  }
  mpfr_clear(turn);
  mpfr_clear(quarters);
  return ternary;
}
int sin(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return turns(r, v, round, mpfr_sin, false);
}
int cos(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return turns(r, v, round, mpfr_cos, true);
}

struct Approximation {
  const char *name;
  Operation operation;
};
const Approximation APPROXIMATIONS[] = {
    {"rcp", rcp},  {"sqrt", sqrt}, {"rsq", rsq}, {"exp", exp2},
    {"log", log2}, {"sin", sin},   {"cos", cos}};

/// Half a place and a little: what computing in double must reach.
TEST(Approximations, FloatIsWithinTheLastPlace) {
  for (const Approximation &a : APPROXIMATIONS) {
    std::string mnemonic = "v_" + std::string(a.name) + "_f32";
    const Function &function = functions().at(mnemonic);
    Random random(SINGLE);
    std::vector<uint64_t> values = hard_values(SINGLE);
    for (unsigned i = 0; i < 100000; ++i)
      values.push_back(random());
    for (unsigned i = 0; i < 100000;
         ++i) // between 1/16 and 16, where most of it happens
      values.push_back(0x3d800000 + (random() & 0x81ffffff) % 0x04000000);
    for (uint64_t value : values) {
      uint64_t in = flush_bits(SINGLE, value);
      uint64_t expected = flush_bits(
          SINGLE, evaluate(SINGLE, SINGLE, Round::nearest, a.operation, {in}));
      uint64_t actual = function.call(DEFAULT_MODE, &value).value;
      if (mnemonic == "v_sin_f32" && is_denormal_or_zero(f32(uint32_t(value))))
        continue; // denormals are kept: checked below
      bool near = same(SINGLE, expected, actual) ||
                  (!is_nan_bits(SINGLE, expected) &&
                   std::abs(int64_t(actual) - int64_t(expected)) <= 1);
      ASSERT_TRUE(near) << mnemonic << std::hex << " " << value << ": "
                        << actual << ", expected " << expected;
    }
  }
}

TEST(Approximations, DoubleIsExactEnoughForNewton) {
  for (const Approximation &a :
       {APPROXIMATIONS[0], APPROXIMATIONS[1], APPROXIMATIONS[2]}) {
    std::string mnemonic = "v_" + std::string(a.name) + "_f64";
    Random random(DOUBLE);
    std::vector<uint64_t> values = hard_values(DOUBLE);
    for (unsigned i = 0; i < 50000; ++i)
      values.push_back(random());
    for (uint64_t value : values) {
      uint64_t expected =
          evaluate(DOUBLE, DOUBLE, Round::nearest, a.operation, {value});
      uint64_t actual =
          functions().at(mnemonic).call(DEFAULT_MODE, &value).value;
      bool near = same(DOUBLE, expected, actual) ||
                  (!is_nan_bits(DOUBLE, expected) &&
                   std::abs(int64_t(actual) - int64_t(expected)) <= 1);
      ASSERT_TRUE(near) << mnemonic << std::hex << " " << value << ": "
                        << actual << ", expected " << expected;
    }
  }
}

// Functions of one half, over all halves.
int floor(mpfr_t r, mpfr_t *v, mpfr_rnd_t) { return mpfr_floor(r, v[0]); }
int ceil(mpfr_t r, mpfr_t *v, mpfr_rnd_t) { return mpfr_ceil(r, v[0]); }
int trunc(mpfr_t r, mpfr_t *v, mpfr_rnd_t) { return mpfr_trunc(r, v[0]); }
int rndne(mpfr_t r, mpfr_t *v, mpfr_rnd_t) {
  return mpfr_rint(r, v[0], MPFR_RNDN);
}
int mantissa(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  mpfr_exp_t exponent;
  return mpfr_number_p(v[0]) && !mpfr_zero_p(v[0])
             ? mpfr_frexp(&exponent, r, v[0], round)
             : mpfr_set(r, v[0], round);
}
int copy(mpfr_t r, mpfr_t *v, mpfr_rnd_t round) {
  return mpfr_set(r, v[0], round);
}

TEST(AllHalves, FunctionsToHalf) {
  std::vector<Approximation> all(std::begin(APPROXIMATIONS),
                                 std::end(APPROXIMATIONS));
  for (Approximation a : {Approximation{"floor", floor},
                          {"ceil", ceil},
                          {"trunc", trunc},
                          {"rndne", rndne},
                          {"frexp_mant", mantissa}})
    all.push_back(a);
  for (u8 denorm : {u8(KEEP_ALL), u8(FLUSH_ALL)}) {
    FloatMode mode;
    mode.denorm64_16 = denorm;
    for (const Approximation &a : all) {
      std::string mnemonic = "v_" + std::string(a.name) + "_f16";
      const Function &function = functions().at(mnemonic);
      for (uint64_t value = 0; value < 0x10000; ++value) {
        uint64_t expected = evaluate_flushing(HALF, Round::nearest, denorm,
                                              a.operation, {value});
        uint64_t actual = function.call(mode, &value).value;
        ASSERT_TRUE(same(HALF, expected, actual))
            << mnemonic << std::hex << " " << value << ": " << actual
            << ", expected " << expected;
      }
    }
  }
}

TEST(AllHalves, Conversions) {
  for (uint64_t value = 0; value < 0x10000; ++value) {
    ASSERT_TRUE(
        same(SINGLE, evaluate(SINGLE, HALF, Round::nearest, copy, {value}),
             functions().at("v_cvt_f32_f16").call(DEFAULT_MODE, &value).value))
        << std::hex << value;
    float wide = widen(f16(uint32_t(value)));
    double whole = std::trunc(double(wide));
    int64_t i16_expected = wide != wide     ? 0
                           : whole < -32768 ? -32768
                           : whole > 32767  ? 32767
                                            : int64_t(whole);
    int64_t u16_expected = wide != wide    ? 0
                           : whole < 0     ? 0
                           : whole > 65535 ? 65535
                                           : int64_t(whole);
    ASSERT_EQ(
        int16_t(
            functions().at("v_cvt_i16_f16").call(DEFAULT_MODE, &value).value),
        i16_expected)
        << std::hex << value;
    ASSERT_EQ(functions().at("v_cvt_u16_f16").call(DEFAULT_MODE, &value).value,
              uint64_t(u16_expected))
        << std::hex << value;
    // An integer of 16 bits: float has all of them, so the host's rounding to
    // half is the only one.
    for (Round round : {Round::nearest, Round::up, Round::down, Round::zero}) {
      FloatMode mode;
      mode.round64_16 = round;
      uint64_t as_signed = bits_of(float(int16_t(value))),
               as_unsigned = bits_of(float(value));
      ASSERT_EQ(functions().at("v_cvt_f16_i16").call(mode, &value).value,
                evaluate(HALF, SINGLE, round, copy, {as_signed}));
      ASSERT_EQ(functions().at("v_cvt_f16_u16").call(mode, &value).value,
                evaluate(HALF, SINGLE, round, copy, {as_unsigned}));
    }
  }
}

TEST(AllHalves, FractStaysBelowOne) {
  for (uint64_t value = 0; value < 0x10000; ++value) {
    double v = widen(f16(uint32_t(value)));
    uint64_t actual =
        functions().at("v_fract_f16").call(DEFAULT_MODE, &value).value;
    double exact = v - std::floor(v);
    uint64_t expected =
        std::isfinite(v) ? bits_of(narrow_to_half(exact)) : HALF.default_nan();
    if (std::isfinite(v) && expected == 0x3c00)
      expected = 0x3bff;
    ASSERT_TRUE(same(HALF, expected, actual))
        << std::hex << value << ": " << actual << ", expected " << expected;
  }
}

TEST(AllHalves, FrexpExponent) {
  for (uint64_t value = 0; value < 0x10000; ++value) {
    int expected = 0;
    double v = widen(f16(uint32_t(value)));
    if (std::isfinite(v))
      std::frexp(v, &expected);
    ASSERT_EQ(int16_t(functions()
                          .at("v_frexp_exp_i16_f16")
                          .call(DEFAULT_MODE, &value)
                          .value),
              expected);
  }
}

} // namespace
} // namespace gpuexec::emulator::ops::tests
