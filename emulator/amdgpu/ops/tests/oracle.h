//===-- emulator/amdgpu/ops/tests/oracle.h - Float answers by MPFR --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operation on bit patterns must give, computed by MPFR in the format's
// own precision and exponent range. Values that are hard for float code, and
// random ones that favour them.
//===----------------------------------------------------------------------===//

#ifndef GPUEXEC_EMULATOR_AMDGPU_OPS_TESTS_ORACLE_H
#define GPUEXEC_EMULATOR_AMDGPU_OPS_TESTS_ORACLE_H

#include "emulator/amdgpu/ops/float_core.h"
#include <mpfr.h>
#include <random>
#include <vector>

namespace gpuexec::emulator::ops::tests {

/// Chooses an operation of MPFR for `evaluate`: result, operands, rounding.
using Operation = int (*)(mpfr_t result, mpfr_t *operands, mpfr_rnd_t round);

/// The operation on operands in `from`, rounded once to `to`.
uint64_t evaluate(const Format &to, const Format &from, Round round, Operation,
                  const std::vector<uint64_t> &operands);

/// The same, with the denormal handling of the mode's field around it.
uint64_t evaluate_flushing(const Format &, Round round, u8 denorm, Operation,
                           std::vector<uint64_t> operands);

/// A long double that no format of ours can tell from the exact result.
long double evaluate_wide(const Format &from, Operation, uint64_t operand);

uint64_t flush_bits(const Format &, uint64_t bits);

/// Zeros, ones, the edges of denormals and of the range, halfway cases,
/// infinities and NaN, of both signs.
std::vector<uint64_t> hard_values(const Format &);

/// Random bits, half of them near a hard value or another operand's exponent.
class Random {
public:
  explicit Random(const Format &format, uint64_t seed = 1);
  uint64_t operator()();

private:
  const Format &format;
  std::vector<uint64_t> hard;
  std::mt19937_64 engine;
  uint64_t last = 0;
};

/// Equal bits, or both NaN (the right one quiet).
bool same(const Format &, uint64_t expected, uint64_t actual);

} // namespace gpuexec::emulator::ops::tests

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_TESTS_ORACLE_H
