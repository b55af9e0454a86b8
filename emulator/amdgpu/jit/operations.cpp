//===-- emulator/amdgpu/jit/operations.cpp - The instructions as bitcode --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled to LLVM bitcode at build time and embedded in the JIT's library.
// Every vector and scalar operation of ops/ becomes a function of one uniform
// type, so that the JIT calls any of them without a case of its own and the
// inliner leaves nothing but the operation:
//
//   u64 op_NAME(u64 a, u64 b, u64 c, bool condition, u32 lane, u32 mods,
//               u64 old, bool *bit)
//
// a, b, c: raw source bits, zero-extended; condition: this lane's bit of the
// condition operand (for scalar ones: scc); mods: neg and abs as in state.h
// (halves are chosen by micro-ops of their own); old: the destination before;
// *bit: this lane's bit of the mask (or scc) that the instruction writes.
// Everything is in the default float mode: the JIT's code runs in no other.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/ops/salu.h"
#include "emulator/amdgpu/ops/valu.h"

#include <tuple>
#include <type_traits>

namespace gpuexec::emulator {
namespace {
using namespace ops;

#define UNIFORM                                                                \
  u64 a, u64 b, u64 c, bool condition, u32 lane, u32 mods, u64 old, bool *bit

template <typename T>
inline constexpr bool is_source =
    !std::is_same_v<std::remove_cvref_t<T>, FloatMode> &&
    !std::is_same_v<T, LaneId> && !std::is_same_v<T, bool>;

/// Source k as the function's parameter type says, with its modifiers.
template <typename T> [[gnu::always_inline]] inline T read(u64 raw, u32 mods) {
  constexpr u32 NEG = 1, ABS = 2;
  if constexpr (std::is_same_v<T, float>) {
    float v = f32(u32(raw));
    v = mods & ABS ? apply_abs(v) : v;
    return mods & NEG ? apply_neg(v) : v;
  } else if constexpr (std::is_same_v<T, double>) {
    double v = f64(raw);
    v = mods & ABS ? apply_abs(v) : v;
    return mods & NEG ? apply_neg(v) : v;
  } else if constexpr (std::is_same_v<T, F16>) {
    F16 v = f16(u32(raw));
    v = mods & ABS ? apply_abs(v) : v;
    return mods & NEG ? apply_neg(v) : v;
  } else if constexpr (std::is_same_v<T, P16>) {
    return P16{u32(raw)};
  } else if constexpr (std::is_same_v<T, F32x2>) {
    return F32x2{f32(u32(raw)), f32(u32(raw >> 32))};
  } else {
    return T(raw);
  }
}

/// A result's bits, zero-extended.
template <typename T> [[gnu::always_inline]] inline u64 raw_of(T value) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double> ||
                std::is_same_v<T, F16>)
    return bits_of(value);
  else if constexpr (std::is_same_v<T, P16>)
    return value.bits;
  else if constexpr (std::is_same_v<T, F32x2>)
    return u64(bits_of(value.high)) << 32 | bits_of(value.low);
  else
    return std::make_unsigned_t<T>(value);
}
template <typename T> inline constexpr bool is_with_bit = false;
template <typename T> inline constexpr bool is_with_bit<WithBit<T>> = true;
template <typename T> inline constexpr bool is_with_scc = false;
template <typename T> inline constexpr bool is_with_scc<WithScc<T>> = true;

template <typename R> [[gnu::always_inline]] inline u64 give(R r, bool *bit) {
  if constexpr (std::is_same_v<R, bool>) {
    *bit = r;
    return 0;
  } else if constexpr (is_with_bit<R>) {
    *bit = r.bit;
    return raw_of(r.value);
  } else if constexpr (is_with_scc<R>) {
    *bit = r.scc;
    return raw_of(r.value);
  } else if constexpr (std::is_same_v<R, Scc>) {
    *bit = r.scc;
    return 0;
  } else {
    return raw_of(r);
  }
}

/// The argument for one parameter; `k` counts the sources met so far.
template <typename P>
[[gnu::always_inline]] inline P argument(unsigned &k, const u64 *sources,
                                         bool condition, u32 lane, u32 mods) {
  if constexpr (std::is_same_v<std::remove_cvref_t<P>, FloatMode>)
    return DEFAULT_MODE;
  else if constexpr (std::is_same_v<P, LaneId>)
    return LaneId{lane};
  else if constexpr (std::is_same_v<P, bool>)
    return condition;
  else {
    unsigned index = k++;
    return read<P>(sources[index], mods >> (4 * index));
  }
}

template <typename R, typename... P>
[[gnu::always_inline]] inline u64 call(R (*function)(P...), UNIFORM) {
  const u64 sources[4] = {a, b, c, 0};
  unsigned k = 0;
  // A braced list is evaluated from left to right.
  std::tuple<P...> arguments{argument<P>(k, sources, condition, lane, mods)...};
  return give(std::apply(function, arguments), bit);
}

/// A 16-bit result that leaves the other half as it was.
[[gnu::always_inline]] inline u64 keep_high(u64 result, u64 old) {
  return (old & 0xffff0000u) | (result & 0xffff);
}

/// VOP3P: one half of each source. mods has, by source: neg_lo, neg_hi,
/// op_sel, op_sel_hi.
template <typename P>
[[gnu::always_inline]] inline P half_argument(unsigned &k, const u64 *sources,
                                              u32 mods, bool upper) {
  if constexpr (std::is_same_v<std::remove_cvref_t<P>, FloatMode>)
    return DEFAULT_MODE;
  else {
    u32 m = mods >> (4 * k);
    u64 raw = sources[k++];
    bool high = m & (upper ? 8 : 4), neg = m & (upper ? 2 : 1);
    constexpr unsigned WIDTH = sizeof(P) * 8;
    raw = high ? raw >> WIDTH : raw;
    if constexpr (std::is_same_v<P, float>)
      return neg ? apply_neg(f32(u32(raw))) : f32(u32(raw));
    else if constexpr (std::is_same_v<P, F16>)
      return neg ? apply_neg(f16(u32(raw))) : f16(u32(raw));
    else
      return P(raw);
  }
}
template <typename R, typename... P>
[[gnu::always_inline]] inline R
call_half(R (*function)(P...), const u64 *sources, u32 mods, bool upper) {
  unsigned k = 0;
  std::tuple<P...> arguments{half_argument<P>(k, sources, mods, upper)...};
  return std::apply(function, arguments);
}
template <typename R, typename... P>
[[gnu::always_inline]] inline u64 call_packed(R (*function)(P...), UNIFORM) {
  const u64 sources[4] = {a, b, c, 0};
  u64 low = raw_of(call_half(function, sources, mods, false));
  u64 high = raw_of(call_half(function, sources, mods, true));
  return low | high << (sizeof(R) * 8);
}
} // namespace

#define FORWARD a, b, c, condition, lane, mods, old, bit
#define OPERATION(NAME)                                                        \
  extern "C" [[gnu::used]] u64 op_##NAME(UNIFORM) {                            \
    return call(&NAME, FORWARD);                                               \
  }
#define OPERATION_KEEP_HIGH(NAME)                                              \
  extern "C" [[gnu::used]] u64 op_##NAME(UNIFORM) {                            \
    return keep_high(call(&NAME, FORWARD), old);                               \
  }
#define VALU(NAME) OPERATION(NAME)
#define VALU_SAT(NAME)                                                         \
  OPERATION(NAME)                                                              \
  OPERATION(NAME##_sat)
#define VALU_KEEP_HIGH(NAME) OPERATION_KEEP_HIGH(NAME)
#define VALU_KEEP_HIGH_SAT(NAME)                                               \
  OPERATION_KEEP_HIGH(NAME)                                                    \
  OPERATION_KEEP_HIGH(NAME##_sat)
#define PACKED(NAME, HALF)                                                     \
  extern "C" [[gnu::used]] u64 op_##NAME(UNIFORM) {                            \
    return call_packed(&HALF, FORWARD);                                        \
  }
#define VPK(NAME, HALF) PACKED(NAME, HALF)
#define VPK_SAT(NAME, HALF)                                                    \
  PACKED(NAME, HALF)                                                           \
  PACKED(NAME##_sat, HALF##_sat)
#define VPK32(NAME, HALF) PACKED(NAME, HALF)
#include "emulator/amdgpu/ops/valu.def"

#define SALU(NAME) OPERATION(NAME)
#define SALU_TIED(NAME) OPERATION(NAME)
// a: the source, b: EXEC.
#define OPERATION_AS(NAME, LOGIC)                                              \
  extern "C" [[gnu::used]] u64 op_##NAME(UNIFORM) {                            \
    return call(&LOGIC, FORWARD);                                              \
  }
#define SALU_SAVEEXEC(NAME, LOGIC) OPERATION_AS(NAME, LOGIC)
#define SALU_WREXEC(NAME, LOGIC) OPERATION_AS(NAME, LOGIC)
#include "emulator/amdgpu/ops/salu.def"

} // namespace gpuexec::emulator
