//===-- emulator/amdgpu/access/atomics.h - Facts of atomics -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of read-modify-write that the interpreter, the JIT and --check=uninit
// share. ops/atomic.def has a row for each operation.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_ACCESS_ATOMICS_H
#define GPUEXEC_EMULATOR_AMDGPU_ACCESS_ATOMICS_H

#include "emulator/amdgpu/decode/operation.h"

namespace gpuexec::emulator::amdgpu::access {

/// Which bits in memory are undefined after an atomic.
enum class AtomicUndef : u8 {
  data,     // those of the data
  bits,     // those of either
  carries,  // all from the lowest of either on
  whole,    // all, if any of either is
  exchange, // all, if any of the expected value is; else those of either
};
constexpr AtomicUndef undef_rule(AtomicOperation operation) {
  constexpr AtomicUndef rules[] = {
#define ATOMIC_OPERATION(name, unsigned_ir, signed_ir, undefined)              \
  AtomicUndef::undefined,
#include "emulator/amdgpu/ops/atomic.def"
  };
  return rules[unsigned(operation)];
}
constexpr u64 undefined_by(AtomicUndef rule, u64 memory, u64 data, u64 expected,
                           u64 all) {
  const u64 both = memory | data;
  switch (rule) {
  case AtomicUndef::data:
    return data;
  case AtomicUndef::bits:
    return both;
  case AtomicUndef::carries:
    return both ? all & ~((both & -both) - 1) : 0;
  case AtomicUndef::whole:
    return both ? all : 0;
  case AtomicUndef::exchange:
    return expected ? all : both;
  }
  return all;
}

/// A data operand of an atomic: Inst::src[source], from its row `row` on.
struct AtomicData {
  unsigned source, row = 0;
};
/// What a comparison's two values are in. FLAT, GLOBAL, MUBUF: one operand with
/// the new value's registers, then the expected one's. DS: two operands, the
/// expected value's first.
struct CompareOperands {
  AtomicData fresh, expected;
};
[[gnu::always_inline]] constexpr CompareOperands
compare_operands(bool is_lds, unsigned words) {
  return is_lds ? CompareOperands{{1}, {2}} : CompareOperands{{2}, {2, words}};
}

} // namespace gpuexec::emulator::amdgpu::access

#endif // GPUEXEC_EMULATOR_AMDGPU_ACCESS_ATOMICS_H
