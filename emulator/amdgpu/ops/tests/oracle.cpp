//===-- emulator/amdgpu/ops/tests/oracle.cpp ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "oracle.h"

namespace gpuexec::emulator::ops::tests {
namespace {

mpfr_rnd_t rounding_of(Round round) {
  switch (round) {
  case Round::nearest:
    return MPFR_RNDN;
  case Round::up:
    return MPFR_RNDU;
  case Round::down:
    return MPFR_RNDD;
  case Round::zero:
    return MPFR_RNDZ;
  }
  return MPFR_RNDN;
}

/// Reads a bit pattern with MPFR's own arithmetic: fraction times a power.
void set_bits(mpfr_t v, const Format &f, uint64_t bits) {
  uint64_t magnitude = bits & ~f.sign_bit();
  if (magnitude > f.infinity())
    return mpfr_set_nan(v);
  if (magnitude == f.infinity()) {
    mpfr_set_inf(v, 1);
  } else {
    uint64_t exponent = magnitude >> f.frac_bits;
    uint64_t fraction = magnitude & (f.hidden() - 1);
    long power = (exponent ? long(exponent) : 1) - f.bias() - f.frac_bits;
    mpfr_set_uj_2exp(v, exponent ? fraction | f.hidden() : fraction, power,
                     MPFR_RNDN);
  }
  if (bits & f.sign_bit())
    mpfr_neg(v, v, MPFR_RNDN);
}

/// The bit pattern of a value that the format can represent.
uint64_t get_bits(const Format &f, const mpfr_t v) {
  uint64_t sign = mpfr_signbit(v) ? f.sign_bit() : 0;
  if (mpfr_nan_p(v))
    return f.default_nan();
  if (mpfr_inf_p(v))
    return sign | f.infinity();
  if (mpfr_zero_p(v))
    return sign;
  long exponent = mpfr_get_exp(v) - 1; // v in [2^exponent, 2^(exponent + 1))
  long last = std::max<long>(exponent, f.min_exponent()) - f.frac_bits;
  mpfr_t scaled;
  mpfr_init2(scaled, 64);
  mpfr_abs(scaled, v, MPFR_RNDN);
  mpfr_div_2si(scaled, scaled, last, MPFR_RNDN);
  uint64_t digits = mpfr_get_uj(scaled, MPFR_RNDN);
  mpfr_clear(scaled);
  if (exponent < f.min_exponent())
    return sign | digits;
  return sign | uint64_t(exponent + f.bias()) << f.frac_bits |
         (digits & (f.hidden() - 1));
}

struct Operands {
  mpfr_t values[3];
  Operands(const Format &from, const std::vector<uint64_t> &bits) {
    for (mpfr_t &v : values)
      mpfr_init2(v, 64);
    for (size_t i = 0; i < bits.size(); ++i)
      set_bits(values[i], from, bits[i]);
  }
  ~Operands() {
    for (mpfr_t &v : values)
      mpfr_clear(v);
  }
};

} // namespace

uint64_t evaluate(const Format &to, const Format &from, Round round,
                  Operation operation, const std::vector<uint64_t> &operands) {
  Operands in(from, operands);
  mpfr_exp_t old_min = mpfr_get_emin(), old_max = mpfr_get_emax();
  mpfr_t result;
  mpfr_init2(result, to.frac_bits + 1);
  // MPFR's mantissa is in [1/2, 1), its exponents one higher than IEEE's.
  mpfr_set_emin(to.min_exponent() - to.frac_bits + 1);
  mpfr_set_emax(to.bias() + 1);
  int ternary = operation(result, in.values, rounding_of(round));
  ternary = mpfr_check_range(result, ternary, rounding_of(round));
  mpfr_subnormalize(result, ternary, rounding_of(round));
  mpfr_set_emin(old_min);
  mpfr_set_emax(old_max);
  uint64_t bits = get_bits(to, result);
  mpfr_clear(result);
  return bits;
}

uint64_t flush_bits(const Format &f, uint64_t bits) {
  return (bits & ~f.sign_bit()) < f.hidden() ? bits & f.sign_bit() : bits;
}

uint64_t evaluate_flushing(const Format &f, Round round, u8 denorm,
                           Operation operation,
                           std::vector<uint64_t> operands) {
  if (!(denorm & KEEP_INPUT))
    for (uint64_t &bits : operands)
      bits = flush_bits(f, bits);
  uint64_t result = evaluate(f, f, round, operation, operands);
  return denorm & KEEP_OUTPUT ? result : flush_bits(f, result);
}

long double evaluate_wide(const Format &from, Operation operation,
                          uint64_t operand) {
  Operands in(from, {operand});
  mpfr_t result;
  mpfr_init2(result, 64);
  operation(result, in.values, MPFR_RNDN);
  long double value = mpfr_get_ld(result, MPFR_RNDN);
  mpfr_clear(result);
  return value;
}

std::vector<uint64_t> hard_values(const Format &f) {
  uint64_t one = uint64_t(f.bias()) << f.frac_bits, last = f.hidden() - 1;
  std::vector<uint64_t> positive = {
      0,
      1,
      2,
      3,
      f.hidden() / 2,
      f.hidden() - 1,
      f.hidden(),
      f.hidden() + 1,
      2 * f.hidden() - 1,
      2 * f.hidden(),
      one,
      one + 1,
      one - 1,
      one + f.hidden(),
      one + f.hidden() / 2,     // 1.5
      one - f.hidden(),         // 0.5
      one - f.hidden() - 1,     // below 0.5
      one - 2 * f.hidden() + 1, // above 0.25
      one | last,
      one + uint64_t(f.frac_bits) * f.hidden(), // 2^frac: the last place is 1
      one + uint64_t(f.frac_bits) * f.hidden() - 1,     // and 1/2
      one + uint64_t(f.frac_bits) * f.hidden() + 1,     // odd integer
      one + uint64_t(f.frac_bits - 1) * f.hidden() + 1, // integer and a half
      one - uint64_t(f.frac_bits + 1) * f.hidden(), // half the last place of 1
      one - uint64_t(f.frac_bits + 1) * f.hidden() + 1, // and a little more
      one / 2,
      one / 2 + last / 3,
      one + one / 2,
      one + one / 2 + last / 5,
      f.infinity() - f.hidden(),
      f.infinity() - 2,
      f.infinity() - 1,
      f.infinity(),
      f.infinity() | f.quiet_bit(),
      f.infinity() | 1, // signaling
  };
  std::vector<uint64_t> all = positive;
  for (uint64_t bits : positive)
    all.push_back(bits | f.sign_bit());
  return all;
}

Random::Random(const Format &format, uint64_t seed)
    : format(format), hard(hard_values(format)), engine(seed) {}

uint64_t Random::operator()() {
  uint64_t mask = 2 * format.sign_bit() - 1; // wraps to all ones for 64 bits
  uint64_t bits = engine() & mask;
  switch (engine() % 4) {
  case 0:
    bits = hard[engine() % hard.size()];
    break;
  case 1: // near the last one's exponent
    bits = (bits & ~format.infinity()) | (last & format.infinity());
    bits += (engine() % 5 - 2) * format.hidden();
    break;
  case 2: // few digits
    bits &= ~((format.hidden() - 1) >> (engine() % format.frac_bits));
    break;
  default:
    break;
  }
  return last = bits & mask;
}

bool same(const Format &f, uint64_t expected, uint64_t actual) {
  if (is_nan_bits(f, expected))
    return is_nan_bits(f, actual) && (actual & f.quiet_bit());
  return expected == actual;
}

} // namespace gpuexec::emulator::ops::tests
