//===-- emulator/amdgpu/ops/types.h - Operand types of instructions -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions in this folder say what one AMDGPU instruction does in one
// lane: values in, value out, no state. The same definitions are compiled by
// the interpreter (as loops over lanes that clang vectorises) and to bitcode
// for the JIT, so they use builtins and include no library of ours.
//
// The convention
// --------------
// * A function is named as the mnemonic without its encoding suffix
//   (v_add_u32_e32 and v_add_u32_sdwa are ops::v_add_u32); each
//   header lists its own in rows (valu.def, salu.def). Its parameters, in
//   order:
//     1. `const FloatMode &mode`, if rounding, denormals, IEEE mode or
//        DX10 clamp matter. With the constant DEFAULT_MODE the function folds
//        to plain C operators.
//     2. `LaneId`, if the lane's number matters (v_mbcnt).
//     3. the source operands in the order of the assembly syntax. Their types
//        say how an operand is read: u32, i32, float: 32 bits (for a VOP
//        operand of 16 bits: u16, i16, F16: the half that op_sel or SDWA
//        names); u64, i64, double: a register pair; P16: 32 bits that hold two
//        halves, read as they are. Constants of v_fmamk and v_fmaak stand
//        where the syntax has them.
//     4. for a TIED function the old value of the destination.
//     5. `bool`: this lane's bit of the condition operand (carry in, VCC of
//        v_cndmask and v_div_fmas). A TIED function never has one.
// * neg and abs modifiers are applied by the caller before the call (apply_neg,
//   apply_abs below), omod and clamp on float results after it (apply_omod,
//   then apply_clamp, in this order).
// * Integer clamp needs the unwrapped result: where a table line says _SAT
//   there is a second function, name + "_sat", with the same signature to call
//   instead when the clamp bit is set.
// * Results: T; WithBit<T> where the instruction writes a lane mask too; bool
//   for v_cmp_* (v_cmpx_* is the same function).
// * A 16-bit result (u16, i16, F16) is written to the low half and the high
//   half becomes zero, except for a function listed as VALU_KEEP_HIGH and for
//   SDWA's own dst_unused: those leave the other half as it was. In VOP3 the
//   top bit of op_sel names the high half as destination; the low half is kept
//   then, whatever the function.
// * u8 operands and results: the byte that SDWA or, in VOP3, two bits of op_sel
//   name; the other bytes of the destination are kept.
// * VPK(name, half): VOP3P on two 16-bit halves, each by ops::half.
//   VPK32(name, half): on the two registers of a pair, each by ops::half.
// * Scalar functions take scc as the last argument `bool` where they read it
//   and return WithScc<T> where they write it; `Scc` where they write only scc.
//   SOPK's immediate is passed sign-extended to 32 bits; a TIED scalar function
//   takes the old value of the destination first (s_addk_i32: old, immediate).
//
// Facts: AMD's "CDNA3" and "Vega" Instruction Set Architecture reference
// guides, chapters "Vector ALU Operations" and "Instructions".
//===----------------------------------------------------------------------===//

#ifndef GPUEXEC_EMULATOR_AMDGPU_OPS_TYPES_H
#define GPUEXEC_EMULATOR_AMDGPU_OPS_TYPES_H

#include <bit>
#include <stdint.h>

/// Every operation is inlined into its caller: a loop over lanes, a stencil or
/// a function of the JIT's bitcode.
#define GPUEXEC_OP [[gnu::always_inline]] static inline
/// For functions that only unusual modes need. They stay out of line, which
/// keeps callers with a constant mode small.
#define GPUEXEC_SLOW [[gnu::noinline, maybe_unused]] static

namespace gpuexec::emulator::ops {

using u8 = uint8_t;
using u16 = uint16_t;
using u32 = uint32_t;
using u64 = uint64_t;
using u128 = unsigned __int128;
using i8 = int8_t;
using i16 = int16_t;
using i32 = int32_t;
using i64 = int64_t;
using i128 = __int128;

/// A half-precision number. A struct, so that no arithmetic happens by
/// accident.
struct F16 {
  u16 bits;
};

/// 32 bits that hold two 16-bit halves, low half first, read and written whole.
struct P16 {
  u32 bits;
};

/// Two floats in a register pair, low register first.
struct F32x2 {
  float low, high;
};

/// The lane's number in its wave, 0 to 63.
struct LaneId {
  u32 value;
};

/// The result of an instruction that also writes this lane's bit of a mask.
template <typename T> struct WithBit {
  T value;
  bool bit;
};

/// The result of a scalar instruction that also writes SCC.
template <typename T> struct WithScc {
  T value;
  bool scc;
};

/// The result of a scalar instruction that writes nothing but SCC.
struct Scc {
  bool scc;
};

enum class Round : u8 { nearest = 0, up = 1, down = 2, zero = 3 };

/// The bits of the denormal fields of the MODE register.
enum Denorm : u8 {
  FLUSH_ALL = 0,
  KEEP_INPUT = 1,
  KEEP_OUTPUT = 2,
  KEEP_ALL = 3
};

/// The float part of the MODE register (FP_ROUND, FP_DENORM, DX10_CLAMP, IEEE).
struct FloatMode {
  Round round32 = Round::nearest;
  Round round64_16 = Round::nearest;
  u8 denorm32 = KEEP_ALL;
  u8 denorm64_16 = KEEP_ALL;
  bool ieee = true;
  bool dx10_clamp = true;

  constexpr bool operator==(const FloatMode &) const = default;
};

/// The mode that clang writes into kernel descriptors of C, C++, OpenCL, HIP.
inline constexpr FloatMode DEFAULT_MODE{};

GPUEXEC_OP u32 bits_of(float value) { return std::bit_cast<u32>(value); }
GPUEXEC_OP u64 bits_of(double value) { return std::bit_cast<u64>(value); }
GPUEXEC_OP u16 bits_of(F16 value) { return value.bits; }
GPUEXEC_OP float f32(u32 bits) { return std::bit_cast<float>(bits); }
GPUEXEC_OP double f64(u64 bits) { return std::bit_cast<double>(bits); }
GPUEXEC_OP F16 f16(u32 bits) { return F16{u16(bits)}; }

/// Source modifiers; they change the sign bit alone, of NaN too.
GPUEXEC_OP float apply_neg(float v) { return f32(bits_of(v) ^ 0x80000000u); }
GPUEXEC_OP float apply_abs(float v) { return f32(bits_of(v) & 0x7fffffffu); }
GPUEXEC_OP double apply_neg(double v) { return f64(bits_of(v) ^ (1ull << 63)); }
GPUEXEC_OP double apply_abs(double v) {
  return f64(bits_of(v) & ~(1ull << 63));
}
GPUEXEC_OP F16 apply_neg(F16 v) { return f16(v.bits ^ 0x8000u); }
GPUEXEC_OP F16 apply_abs(F16 v) { return f16(v.bits & 0x7fffu); }

GPUEXEC_OP bool is_nan(float v) {
  return (bits_of(v) & 0x7fffffffu) > 0x7f800000u;
}
GPUEXEC_OP bool is_nan(double v) {
  return (bits_of(v) & ~(1ull << 63)) > 0x7ff0000000000000ull;
}
GPUEXEC_OP bool is_nan(F16 v) { return (v.bits & 0x7fffu) > 0x7c00u; }

/// The output clamp: to [0, 1]; NaN becomes 0 if DX10_CLAMP is set. -0 becomes
/// 0.
GPUEXEC_OP float apply_clamp(const FloatMode &mode, float v) {
  float clamped = v > 0.0f ? v : 0.0f; // NaN and -0 give 0
  clamped = clamped < 1.0f ? clamped : 1.0f;
  return !mode.dx10_clamp && is_nan(v) ? v : clamped;
}
GPUEXEC_OP double apply_clamp(const FloatMode &mode, double v) {
  double clamped = v > 0.0 ? v : 0.0;
  clamped = clamped < 1.0 ? clamped : 1.0;
  return !mode.dx10_clamp && is_nan(v) ? v : clamped;
}
GPUEXEC_OP F16 apply_clamp(const FloatMode &mode, F16 v) {
  if (is_nan(v))
    return mode.dx10_clamp ? f16(0) : v;
  return v.bits & 0x8000 ? f16(0) : v.bits > 0x3c00 ? f16(0x3c00) : v;
}

/// Output modifier as encoded: 0 none, 1 times 2, 2 times 4, 3 divided by 2.
/// Hardware ignores it when IEEE mode or output denormals are enabled;
/// otherwise results are flushed and -0 becomes 0.
GPUEXEC_OP float apply_omod(const FloatMode &mode, float v, unsigned omod) {
  if (omod == 0 || mode.ieee || (mode.denorm32 & KEEP_OUTPUT))
    return v;
  float scaled = v * (omod == 1 ? 2.0f : omod == 2 ? 4.0f : 0.5f);
  return __builtin_elementwise_abs(scaled) < 0x1p-126f ? 0.0f : scaled;
}
GPUEXEC_OP double apply_omod(const FloatMode &mode, double v, unsigned omod) {
  if (omod == 0 || mode.ieee || (mode.denorm64_16 & KEEP_OUTPUT))
    return v;
  double scaled = v * (omod == 1 ? 2.0 : omod == 2 ? 4.0 : 0.5);
  return __builtin_elementwise_abs(scaled) < 0x1p-1022 ? 0.0 : scaled;
}
/// Exact on the bits: an exponent is added, denormal results are flushed.
GPUEXEC_OP F16 apply_omod(const FloatMode &mode, F16 v, unsigned omod) {
  if (omod == 0 || mode.ieee || (mode.denorm64_16 & KEEP_OUTPUT))
    return v;
  int exponent = (v.bits >> 10) & 31;
  if (exponent == 31)
    return v;
  int scaled = exponent + (omod == 1 ? 1 : omod == 2 ? 2 : -1);
  if (exponent == 0 || scaled <= 0)
    return f16(0);
  if (scaled >= 31)
    return f16((v.bits & 0x8000) | 0x7c00);
  return f16((v.bits & 0x83ff) | u32(scaled) << 10);
}

/// Values clamped to the range of an integer type (the integer clamp bit).
GPUEXEC_OP u16 saturate_u16(i32 v) {
  return u16(v < 0 ? 0 : v > 0xffff ? 0xffff : v);
}
GPUEXEC_OP i16 saturate_i16(i32 v) {
  return i16(v < -0x8000 ? -0x8000 : v > 0x7fff ? 0x7fff : v);
}
GPUEXEC_OP u32 saturate_u32(i64 v) {
  return u32(v < 0 ? 0 : v > 0xffffffffll ? 0xffffffffll : v);
}
GPUEXEC_OP i32 saturate_i32(i64 v) {
  return i32(v < -0x80000000ll  ? -0x80000000ll
             : v > 0x7fffffffll ? 0x7fffffffll
                                : v);
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_TYPES_H
