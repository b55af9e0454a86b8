//===-- emulator/amdgpu/decode/register_parts.h - Parts of 32 bits --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the micro-ops sdwa, sdwa_merge, modify and insert_half do to a register,
// and how Inst::imm says it. Each rule is written once, for any T that stands
// for 32 bits:
//   u32         the value: interpreter, stencils
//   IrWord      LLVM IR that computes the value (jit/ir_word.h)
//   UndefBits   the value's undefined bits (definedness/bits.h)
// A T has << and >> by a number of bits, & and ^ with a constant, | with a T,
// and shift_right_signed().
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_REGISTER_PARTS_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_REGISTER_PARTS_H

#include "emulator/amdgpu/ops/types.h"

namespace gpuexec::emulator::amdgpu {

[[gnu::always_inline]] constexpr ops::u32 shift_right_signed(ops::u32 x,
                                                             unsigned bits) {
  return ops::u32(ops::i32(x) >> bits);
}

/// SDWA's selectors, as the encoding has them; a byte's is its number.
enum SdwaSelector : unsigned { SDWA_WORD_0 = 4, SDWA_WORD_1, SDWA_DWORD };

/// A byte, a word or all of a register.
struct RegisterPart {
  unsigned shift = 0, width = 32;

  [[gnu::always_inline]] static constexpr RegisterPart
  selected_by(unsigned selector) {
    return selector < SDWA_WORD_0    ? RegisterPart{8 * selector, 8}
           : selector == SDWA_DWORD  ? RegisterPart{0, 32}
           : selector == SDWA_WORD_1 ? RegisterPart{16, 16}
                                     : RegisterPart{0, 16};
  }
  [[gnu::always_inline]] constexpr ops::u64 pack() const {
    return shift | width << 8;
  }
  [[gnu::always_inline]] static constexpr RegisterPart unpack(ops::u64 imm) {
    return {unsigned(imm & 31), unsigned(imm >> 8 & 63)};
  }
  /// Its bits in the register.
  [[gnu::always_inline]] constexpr ops::u32 field() const {
    return (width == 32 ? ~ops::u32(0) : (ops::u32(1) << width) - 1) << shift;
  }
};

/// A source operand's part: Inst::imm of sdwa.
struct Sdwa {
  RegisterPart part;
  bool is_signed = false; // extends the part by its sign

  [[gnu::always_inline]] constexpr ops::u64 pack() const {
    return part.pack() | ops::u64(is_signed) << 16;
  }
  [[gnu::always_inline]] static constexpr Sdwa unpack(ops::u64 imm) {
    return {RegisterPart::unpack(imm), bool(imm >> 16 & 1)};
  }
  template <typename T> [[gnu::always_inline]] constexpr T read(T x) const {
    const unsigned up = 32 - part.width;
    x = x >> part.shift << up;
    return is_signed ? shift_right_signed(x, up) : x >> up;
  }
};

/// The part of the destination that is written, and what becomes of the rest:
/// Inst::imm of sdwa_merge.
struct SdwaMerge {
  enum Unused : unsigned { pad, sign, preserve }; // as the encoding has it
  RegisterPart part;
  unsigned unused = pad;

  [[gnu::always_inline]] constexpr ops::u64 pack() const {
    return part.pack() | ops::u64(unused) << 17;
  }
  [[gnu::always_inline]] static constexpr SdwaMerge unpack(ops::u64 imm) {
    return {RegisterPart::unpack(imm), unsigned(imm >> 17 & 3)};
  }
  /// The register afterwards. `old`: the register before; `value`: has the new
  /// part in its low bits.
  template <typename T>
  [[gnu::always_inline]] constexpr T written(T old, T value) const {
    const ops::u32 field = part.field(), keep = unused == preserve ? ~field : 0;
    const unsigned up = 32 - part.width;
    const T placed = unused == sign
                         ? shift_right_signed(value << up, up) << part.shift
                         : (value << part.shift) & field;
    return (old & keep) | placed;
  }
};

/// The modifiers neg and abs, for a source that the operation reads as an
/// integer: Inst::imm of modify.
struct SignChange {
  bool negate = false, absolute = false;

  [[gnu::always_inline]] constexpr ops::u64 pack() const {
    return ops::u64(negate) | ops::u64(absolute) << 1;
  }
  [[gnu::always_inline]] static constexpr SignChange unpack(ops::u64 imm) {
    return {bool(imm & 1), bool(imm >> 1 & 1)};
  }
  template <typename T> [[gnu::always_inline]] constexpr T applied(T x) const {
    return (x & (absolute ? 0x7fffffffu : ~0u)) ^ (negate ? 0x80000000u : 0);
  }
};

/// Writes a result of 16 bits to one half of a register: Inst::imm of
/// insert_half.
struct HalfInsertion {
  bool high = false;
  bool dpp_lanes = false; // only in the lanes of State::dpp_mask

  [[gnu::always_inline]] constexpr ops::u64 pack() const {
    return ops::u64(high) | ops::u64(dpp_lanes) << 1;
  }
  [[gnu::always_inline]] static constexpr HalfInsertion unpack(ops::u64 imm) {
    return {bool(imm & 1), bool(imm >> 1 & 1)};
  }
  template <typename T>
  [[gnu::always_inline]] constexpr T written(T old, T half) const {
    return high ? (old & 0xffffu) | half << 16
                : (old & 0xffff0000u) | (half & 0xffffu);
  }
};

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_REGISTER_PARTS_H
