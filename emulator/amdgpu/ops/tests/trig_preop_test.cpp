//===-- emulator/amdgpu/ops/tests/trig_preop_test.cpp ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// v_trig_preop_f64 against the CDNA3 guide's words, with 2/pi by MPFR: of 1201
// bits of 2/pi the 53 that begin 53 bits further per segment, and further by
// what the operand's biased exponent exceeds 1077; a fraction of that weight,
// but 2^128 times as large from exponent 1968 on.
//===----------------------------------------------------------------------===//
#include "call.h"
#include <cmath>
#include <gmp.h>
#include <gtest/gtest.h>
#include <mpfr.h>

namespace gpuexec::emulator::ops::tests {
namespace {

constexpr unsigned BITS = 1201;

class TwoOverPi {
public:
  TwoOverPi() {
    mpfr_t value;
    mpfr_init2(value, 2 * BITS);
    mpz_init(all);
    mpfr_const_pi(value, MPFR_RNDN);
    mpfr_ui_div(value, 2, value, MPFR_RNDN);
    mpfr_mul_2ui(value, value, BITS, MPFR_RNDN);
    mpfr_get_z(all, value, MPFR_RNDZ);
    mpfr_clear(value);
  }
  ~TwoOverPi() { mpz_clear(all); }
  /// 53 bits from bit `first` behind the point on.
  double bits_from(unsigned first) const {
    double bits = 0;
    for (unsigned bit = first; bit < first + 53; ++bit)
      bits = 2 * bits + (bit < BITS ? mpz_tstbit(all, BITS - 1 - bit) : 0);
    return bits;
  }

private:
  mpz_t all;
};

TEST(TrigPreop, GivesTheBitsOfTwoOverPi) {
  TwoOverPi table;
  for (u64 exponent = 0; exponent < 0x7ff; ++exponent)
    for (u32 segment = 0; segment < 32; ++segment) {
      u32 shift = 53 * segment;
      if (exponent > 1077)
        shift += exponent - 1077;
      int scale = -53 - int(shift) + (exponent >= 1968 ? 128 : 0);
      double expected = std::ldexp(table.bits_from(shift), scale);
      // Neither sign nor mantissa matter, and of the segment five bits.
      u64 rest = exponent * 0x9e3779b97f4a7c15;
      double operand = f64((rest & 0x800fffffffffffff) | exponent << 52);
      ASSERT_EQ(bits_of(expected),
                bits_of(v_trig_preop_f64(DEFAULT_MODE, operand,
                                         segment | u32(rest) << 5)))
          << "exponent " << exponent << " segment " << segment;
    }
}

/// What it is for: with three segments, a * (2/pi) modulo 4 of the largest
/// numbers, where a double has no fraction of its own left.
TEST(TrigPreop, ReducesTheLargestArguments) {
  for (double a : {1e22, 0x1p300, 0x1.921fb54442d18p1000, 1.7e308}) {
    double scaled = a >= 0x1p945 ? a * 0x1p-128 : a; // as the guide's 1968
    mpfr_t sum, part, exact;
    for (auto *number : {&sum, &part, &exact})
      mpfr_init2(*number, 3000);
    mpfr_set_zero(sum, 0);
    for (u32 segment = 0; segment < 3; ++segment) {
      mpfr_set_d(part, v_trig_preop_f64(DEFAULT_MODE, a, segment), MPFR_RNDN);
      mpfr_mul_d(part, part, scaled, MPFR_RNDN);
      mpfr_add(sum, sum, part, MPFR_RNDN);
    }
    mpfr_const_pi(exact, MPFR_RNDN);
    mpfr_ui_div(exact, 2, exact, MPFR_RNDN);
    mpfr_mul_d(exact, exact, a, MPFR_RNDN);
    // What the segments leave out in front is a multiple of 4.
    mpfr_sub(exact, exact, sum, MPFR_RNDN);
    mpfr_div_ui(exact, exact, 4, MPFR_RNDN);
    mpfr_rint(part, exact, MPFR_RNDN);
    mpfr_sub(exact, exact, part, MPFR_RNDN);
    EXPECT_LT(std::fabs(mpfr_get_d(exact, MPFR_RNDN)), 0x1p-90) << a;
    for (auto *number : {&sum, &part, &exact})
      mpfr_clear(*number);
  }
}

} // namespace
} // namespace gpuexec::emulator::ops::tests
