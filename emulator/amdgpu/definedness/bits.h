//===-- emulator/amdgpu/definedness/bits.h - Partly known values -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of which some bits are undefined, and operations on them. A bit of a
// result is undefined if its value may depend on undefined bits of the
// operands. The rules may call a bit undefined that is not, never the reverse.
// Where no rule is known, the operation is "taken as a whole": one undefined
// bit makes all of the result undefined. Bits above the width are zero in both
// words.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_BITS_H
#define GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_BITS_H

#include "emulator/amdgpu/decode/state.h"

#include <bit>
#include <utility>

namespace gpuexec::emulator::amdgpu::definedness {

constexpr u64 ones(unsigned width) {
  return width >= 64 ? ~u64(0) : (u64(1) << width) - 1;
}

/// The undefined bits of a register, as a T for the rules of
/// decode/register_parts.h. The operations there have constant shifts and
/// masks, so each undefined bit only moves.
struct UndefBits {
  u32 bits = 0;
  constexpr UndefBits operator<<(unsigned n) const { return {bits << n}; }
  constexpr UndefBits operator>>(unsigned n) const { return {bits >> n}; }
  constexpr UndefBits operator&(u32 mask) const { return {bits & mask}; }
  constexpr UndefBits operator|(UndefBits o) const { return {bits | o.bits}; }
  constexpr UndefBits operator^(u32) const { return *this; }
};
/// If the sign is undefined, its copies are too.
constexpr UndefBits shift_right_signed(UndefBits x, unsigned n) {
  return {u32(i32(x.bits) >> n)};
}

/// A value with undefined bits. `value` is the one in the register: its
/// undefined bits may be anything.
struct Bits {
  u64 value = 0, undef = 0;
  u64 low() const { return value & ~undef; } ///< the least it may be
  u64 high() const { return value | undef; } ///< the most, unsigned
  u64 known_ones() const { return value & ~undef; }
};

inline Bits all_undefined(u64 value, unsigned width) {
  return {value & ones(width), ones(width)};
}
inline Bits operator&(Bits a, Bits b) {
  return {a.value & b.value, (a.undef | b.undef) & a.high() & b.high()};
}
inline Bits operator|(Bits a, Bits b) {
  return {a.value | b.value,
          (a.undef | b.undef) & ~a.known_ones() & ~b.known_ones()};
}
inline Bits operator^(Bits a, Bits b) {
  return {a.value ^ b.value, a.undef | b.undef};
}
inline Bits inverse(Bits a, unsigned width) {
  return {~a.value & ones(width), a.undef};
}

/// A sum, and the carry out of it.
struct Sum {
  Bits bits, carry;
};
inline Sum sum(Bits a, Bits b, unsigned width, Bits carry = {}) {
  using Wide = unsigned __int128;
  Wide least = Wide(a.low()) + b.low() + carry.low(),
       most = Wide(a.high()) + b.high() + carry.high(),
       value = Wide(a.value) + b.value + carry.value;
  u64 m = ones(width);
  bool least_carry = least >> width & 1, most_carry = most >> width & 1;
  // The carries into a bit lie between those of the least and the most sum.
  return {{u64(value) & m,
           (a.undef | b.undef | carry.undef | (u64(least) ^ u64(most))) & m},
          {u64(value >> width & 1), u64(least_carry != most_carry)}};
}
/// a - b - borrow; `carry` is the borrow that is left.
inline Sum difference(Bits a, Bits b, unsigned width, Bits borrow = {}) {
  Sum s = sum(a, inverse(b, width), width, inverse(borrow, 1));
  s.carry.value ^= 1;
  return s;
}

inline Bits shift_left(Bits a, Bits by, unsigned width) {
  u64 n = by.value & (width - 1);
  if (by.undef & (width - 1))
    return a.high() ? all_undefined(a.value << n, width) : Bits();
  return {a.value << n & ones(width), a.undef << n & ones(width)};
}
inline Bits shift_right(Bits a, Bits by, unsigned width) {
  u64 n = by.value & (width - 1);
  if (by.undef & (width - 1))
    return a.high() ? all_undefined(a.value >> n, width) : Bits();
  return {a.value >> n, a.undef >> n};
}
inline u64 sign_extended(u64 value, unsigned from, unsigned to) {
  return u64(i64(value << (64 - from)) >> (64 - from)) & ones(to);
}
inline Bits extended(Bits a, unsigned from, unsigned to, bool sign) {
  Bits low = {a.value & ones(from), a.undef & ones(from)};
  if (!sign)
    return low;
  return {sign_extended(low.value, from, to),
          sign_extended(low.undef, from, to)};
}
inline Bits shift_right_signed(Bits a, Bits by, unsigned width) {
  u64 n = by.value & (width - 1);
  if (by.undef & (width - 1))
    return a.high() ? all_undefined(a.value >> n, width) : Bits();
  return {u64(i64(sign_extended(a.value, width, 64)) >> n) & ones(width),
          u64(i64(sign_extended(a.undef, width, 64)) >> n) & ones(width)};
}

/// A bit of the product is defined if it is below all bits to which undefined
/// bits of a factor contribute. All other bits count as undefined.
inline Bits product(Bits a, Bits b, unsigned width) {
  u64 value = a.value * b.value & ones(width), undef = a.undef | b.undef;
  if (!undef || !a.high() || !b.high())
    return {value, 0};
  auto below = [](Bits mine, Bits other) { // where its undefined bits begin
    return mine.undef ? unsigned(std::countr_zero(mine.undef)) +
                            unsigned(std::countr_zero(other.high()))
                      : 64u;
  };
  unsigned from = std::min(below(a, b), below(b, a));
  return {value, from >= width ? 0 : ones(width) & ~ones(from)};
}

/// Bits that may differ between two numbers in [low, high]: the topmost bit in
/// which `low` and `high` differ, and all below it.
inline u64 differing(u64 low, u64 high) {
  return low == high ? 0 : ones(unsigned(std::bit_width(low ^ high)));
}
inline Bits between(u64 value, u64 low, u64 high) {
  return {value, differing(low, high)};
}

inline Bits with_sign_flipped(Bits a, unsigned width) {
  a.value ^= u64(1) << (width - 1);
  return a;
}
/// One of the two; which one depends on undefined bits. `first`: with the bits
/// that are in the registers, it is `a`.
inline Bits either(Bits a, Bits b, bool first) {
  return {first ? a.value : b.value, a.undef | b.undef | (a.value ^ b.value)};
}
inline Bits least(Bits a, Bits b, unsigned width, bool is_signed) {
  Bits x = is_signed ? with_sign_flipped(a, width) : a,
       y = is_signed ? with_sign_flipped(b, width) : b;
  if (x.high() <= y.low())
    return a;
  if (y.high() <= x.low())
    return b;
  return either(a, b, x.value <= y.value);
}
inline Bits most(Bits a, Bits b, unsigned width, bool is_signed) {
  Bits x = is_signed ? with_sign_flipped(a, width) : a,
       y = is_signed ? with_sign_flipped(b, width) : b;
  if (x.low() >= y.high())
    return a;
  if (y.low() >= x.high())
    return b;
  return either(a, b, x.value >= y.value);
}

enum class Compare : u8 { never, lt, eq, le, gt, ne, ge, always };
/// True if the result of the comparison depends on undefined bits.
inline bool undecided(Compare how, Bits a, Bits b, unsigned width,
                      bool is_signed) {
  if (!(a.undef | b.undef))
    return false;
  if (is_signed && how != Compare::eq && how != Compare::ne) {
    a = with_sign_flipped(a, width);
    b = with_sign_flipped(b, width);
  }
  switch (how) {
  case Compare::never:
  case Compare::always:
    return false;
  case Compare::eq:
  case Compare::ne: // decided where bits that are known differ
    return !((a.value ^ b.value) & ~(a.undef | b.undef));
  case Compare::lt:
  case Compare::ge:
    return !(a.high() < b.low()) && !(a.low() >= b.high());
  case Compare::gt:
  case Compare::le:
    return !(a.low() > b.high()) && !(a.high() <= b.low());
  }
  return true;
}
/// True if it depends on undefined bits whether the value is zero.
inline bool maybe_zero(Bits a) { return a.undef && !a.known_ones(); }

/// The number of the lowest bit that is set; `none` if none is.
inline Bits lowest_one(Bits a, unsigned width, u64 none) {
  u64 first = a.value ? u64(std::countr_zero(a.value)) : none;
  u64 candidates = a.high();
  if (!a.undef || !candidates)
    return {first, 0};
  unsigned begin = unsigned(std::countr_zero(candidates));
  if (a.known_ones() >> begin & 1)
    return {first, 0};
  if (!a.known_ones()) // there may be none
    return {first, ones(32)};
  return between(first, begin, u64(std::countr_zero(a.known_ones())));
}
inline u64 reversed(u64 value, unsigned width) {
  u64 result = 0;
  for (unsigned k = 0; k < width; ++k)
    result |= (value >> k & 1) << (width - 1 - k);
  return result;
}
inline Bits reversed(Bits a, unsigned width) {
  return {reversed(a.value, width), reversed(a.undef, width)};
}
inline Bits count_ones(Bits a) {
  return between(u64(std::popcount(a.value)), u64(std::popcount(a.low())),
                 u64(std::popcount(a.high())));
}
/// `value`, all of which is undefined if any bit of the operands (`undef`) is.
inline Bits as_a_whole(u64 value, u64 undef, unsigned width) {
  return {value, undef ? ones(width) : 0};
}

} // namespace gpuexec::emulator::amdgpu::definedness

#endif // GPUEXEC_EMULATOR_AMDGPU_DEFINEDNESS_BITS_H
