//===-- emulator/amdgpu/ops/valu_cmp.h - Vector comparisons -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// v_cmp_*: one bit per lane. Float predicates are written for f16, f32 and f64
// at once; n?? is "not ??", true when a NaN is met. Convention: types.h.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; valu.def says what they mean.
// clang-format off
#define INTEGER_COMPARISONS(type) \
  VCMP(v_cmp_f_##type) VCMP(v_cmp_lt_##type) VCMP(v_cmp_eq_##type) VCMP(v_cmp_le_##type) \
  VCMP(v_cmp_gt_##type) VCMP(v_cmp_ne_##type) VCMP(v_cmp_ge_##type) VCMP(v_cmp_t_##type)
#define FLOAT_COMPARISONS(type) \
  VCMP(v_cmp_f_##type) VCMP(v_cmp_lt_##type) VCMP(v_cmp_eq_##type) VCMP(v_cmp_le_##type) \
  VCMP(v_cmp_gt_##type) VCMP(v_cmp_lg_##type) VCMP(v_cmp_ge_##type) VCMP(v_cmp_o_##type) \
  VCMP(v_cmp_u_##type) VCMP(v_cmp_nge_##type) VCMP(v_cmp_nlg_##type) VCMP(v_cmp_ngt_##type) \
  VCMP(v_cmp_nle_##type) VCMP(v_cmp_neq_##type) VCMP(v_cmp_nlt_##type) VCMP(v_cmp_tru_##type) \
  VCMP(v_cmp_class_##type)
INTEGER_COMPARISONS(i16)
INTEGER_COMPARISONS(u16)
INTEGER_COMPARISONS(i32)
INTEGER_COMPARISONS(u32)
INTEGER_COMPARISONS(i64)
INTEGER_COMPARISONS(u64)
FLOAT_COMPARISONS(f16)
FLOAT_COMPARISONS(f32)
FLOAT_COMPARISONS(f64)
#undef INTEGER_COMPARISONS
#undef FLOAT_COMPARISONS
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_CMP_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_CMP_H

#include "emulator/amdgpu/ops/float_core.h"

namespace gpuexec::emulator::ops {

#define GPUEXEC_INT_COMPARE(TYPE)                                              \
  GPUEXEC_OP bool v_cmp_f_##TYPE(TYPE, TYPE) { return false; }                 \
  GPUEXEC_OP bool v_cmp_lt_##TYPE(TYPE a, TYPE b) { return a < b; }            \
  GPUEXEC_OP bool v_cmp_eq_##TYPE(TYPE a, TYPE b) { return a == b; }           \
  GPUEXEC_OP bool v_cmp_le_##TYPE(TYPE a, TYPE b) { return a <= b; }           \
  GPUEXEC_OP bool v_cmp_gt_##TYPE(TYPE a, TYPE b) { return a > b; }            \
  GPUEXEC_OP bool v_cmp_ne_##TYPE(TYPE a, TYPE b) { return a != b; }           \
  GPUEXEC_OP bool v_cmp_ge_##TYPE(TYPE a, TYPE b) { return a >= b; }           \
  GPUEXEC_OP bool v_cmp_t_##TYPE(TYPE, TYPE) { return true; }
GPUEXEC_INT_COMPARE(i16)
GPUEXEC_INT_COMPARE(u16)
GPUEXEC_INT_COMPARE(i32)
GPUEXEC_INT_COMPARE(u32)
GPUEXEC_INT_COMPARE(i64)
GPUEXEC_INT_COMPARE(u64)
#undef GPUEXEC_INT_COMPARE

// clang-format off
#define GPUEXEC_FLOAT_PREDICATE(NAME, SUFFIX, TYPE, RESULT)                    \
  GPUEXEC_OP bool v_cmp_##NAME##_##SUFFIX(const FloatMode &mode, TYPE x, TYPE y) { \
    [[maybe_unused]] auto a = widen(flush_in(mode, x));                        \
    [[maybe_unused]] auto b = widen(flush_in(mode, y));                        \
    return RESULT;                                                             \
  }
#define GPUEXEC_FLOAT_COMPARE(SUFFIX, TYPE)                                    \
  GPUEXEC_FLOAT_PREDICATE(f, SUFFIX, TYPE, false)                              \
  GPUEXEC_FLOAT_PREDICATE(lt, SUFFIX, TYPE, a < b)                             \
  GPUEXEC_FLOAT_PREDICATE(eq, SUFFIX, TYPE, a == b)                            \
  GPUEXEC_FLOAT_PREDICATE(le, SUFFIX, TYPE, a <= b)                            \
  GPUEXEC_FLOAT_PREDICATE(gt, SUFFIX, TYPE, a > b)                             \
  GPUEXEC_FLOAT_PREDICATE(lg, SUFFIX, TYPE, (a < b) | (a > b))                 \
  GPUEXEC_FLOAT_PREDICATE(ge, SUFFIX, TYPE, a >= b)                            \
  GPUEXEC_FLOAT_PREDICATE(o, SUFFIX, TYPE, (a == a) & (b == b))                \
  GPUEXEC_FLOAT_PREDICATE(u, SUFFIX, TYPE, (a != a) | (b != b))                \
  GPUEXEC_FLOAT_PREDICATE(nge, SUFFIX, TYPE, !(a >= b))                        \
  GPUEXEC_FLOAT_PREDICATE(nlg, SUFFIX, TYPE, !((a < b) | (a > b)))             \
  GPUEXEC_FLOAT_PREDICATE(ngt, SUFFIX, TYPE, !(a > b))                         \
  GPUEXEC_FLOAT_PREDICATE(nle, SUFFIX, TYPE, !(a <= b))                        \
  GPUEXEC_FLOAT_PREDICATE(neq, SUFFIX, TYPE, !(a == b))                        \
  GPUEXEC_FLOAT_PREDICATE(nlt, SUFFIX, TYPE, !(a < b))                         \
  GPUEXEC_FLOAT_PREDICATE(tru, SUFFIX, TYPE, true)
GPUEXEC_FLOAT_COMPARE(f16, F16)
GPUEXEC_FLOAT_COMPARE(f32, float)
GPUEXEC_FLOAT_COMPARE(f64, double)
#undef GPUEXEC_FLOAT_COMPARE
#undef GPUEXEC_FLOAT_PREDICATE
// clang-format on

/// The bit of v_cmp_class's mask that a value belongs to: 0 signaling NaN,
/// 1 quiet NaN, then from -infinity, -normal, -denormal, -0 up to +infinity.
template <typename T> GPUEXEC_OP u32 class_bit(T v) {
  constexpr Format f = FloatTraits<T>::FORMAT;
  u64 magnitude = magnitude_of(v);
  u32 size = magnitude == 0             ? 0
             : magnitude < f.hidden()   ? 1
             : magnitude < f.infinity() ? 2
                                        : 3;
  u32 number = sign_of(v) ? 5 - size : 6 + size;
  u32 nan = magnitude & f.quiet_bit() ? 1 : 0;
  return magnitude > f.infinity() ? nan : number;
}
GPUEXEC_OP bool v_cmp_class_f16(F16 a, u32 mask) {
  return (mask >> class_bit(a)) & 1;
}
GPUEXEC_OP bool v_cmp_class_f32(float a, u32 mask) {
  return (mask >> class_bit(a)) & 1;
}
GPUEXEC_OP bool v_cmp_class_f64(double a, u32 mask) {
  return (mask >> class_bit(a)) & 1;
}

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_VALU_CMP_H
