//===-- emulator/amdgpu/access/atomics.h - Facts of atomics -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Facts of read-modify-write that the interpreter, the JIT and --check=uninit
// share. ops/atomic.def has a row for each operation.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_ACCESS_ATOMICS_H
#define GPUEXEC_EMULATOR_AMDGPU_ACCESS_ATOMICS_H

#include "emulator/amdgpu/decode/operation.h"

namespace gpuexec::emulator::amdgpu::access {

/// Which bits in memory are undefined after an atomic. Before it, bits of the
/// memory and of the atomic's data operand may be undefined.
enum class AtomicUndef : u8 {
  data,     // the bits that are undefined in the data
  bits,     // the bits that are undefined in the memory or in the data
  carries,  // the lowest of these bits and all above it
  whole,    // all bits, if any bit of memory or data is undefined
  exchange, // all bits, if any bit of the expected value is; else as `bits`
};
constexpr AtomicUndef undef_rule(AtomicOperation operation) {
  constexpr AtomicUndef rules[] = {
#define ATOMIC_OPERATION(name, unsigned_ir, signed_ir, undefined)              \
  AtomicUndef::undefined,
#include "emulator/amdgpu/ops/atomic.def"
  };
  return rules[unsigned(operation)];
}
/// The undefined bits of the memory after an atomic, from those of the memory,
/// the data and the expected value before it. `all`: the bits of the access.
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

/// Where a data operand of an atomic is: rows `row` and following of
/// Inst::src[source].
struct AtomicData {
  unsigned source, row = 0;
};
/// Where a compare-and-swap has the new value and the expected one. FLAT,
/// GLOBAL, MUBUF: one operand, with the new value's registers and then the
/// expected value's. DS: two operands, the expected value first.
struct CompareOperands {
  AtomicData fresh, expected;
};
[[gnu::always_inline]] constexpr CompareOperands
compare_operands(bool is_lds, unsigned words) {
  return is_lds ? CompareOperands{{1}, {2}} : CompareOperands{{2}, {2, words}};
}

} // namespace gpuexec::emulator::amdgpu::access

#endif // GPUEXEC_EMULATOR_AMDGPU_ACCESS_ATOMICS_H
