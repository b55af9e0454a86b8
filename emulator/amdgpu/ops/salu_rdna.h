//===-- emulator/amdgpu/ops/salu_rdna.h - Scalar floats ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scalar instructions that RDNA has from gfx11.5 and gfx12 on: floats, sums and
// products of 64 bits, approximations (v_s_rcp). They read scalar registers, so
// their sources are bits; a half is in the lower 16. They compute in the
// default mode whatever MODE says. Convention: types.h. Facts: AMD's "RDNA4"
// Instruction Set Architecture reference guide.
//===----------------------------------------------------------------------===//

#ifdef GPUEXEC_LIST_INSTRUCTIONS
// The rows of these instructions; salu.def says what they mean.
// clang-format off
#define SCALAR_FLOATS(type) \
  SALU(s_add_##type) SALU(s_sub_##type) SALU(s_mul_##type) SALU(s_min_##type) SALU(s_max_##type) \
  SALU(s_minimum_##type) SALU(s_maximum_##type) SALU_TIED(s_fmac_##type) \
  SALU(s_ceil_##type) SALU(s_floor_##type) SALU(s_trunc_##type) SALU(s_rndne_##type) \
  SALU(v_s_exp_##type) SALU(v_s_log_##type) SALU(v_s_rcp_##type) SALU(v_s_rsq_##type) SALU(v_s_sqrt_##type) \
  SALU(s_cmp_lt_##type) SALU(s_cmp_eq_##type) SALU(s_cmp_le_##type) SALU(s_cmp_gt_##type) SALU(s_cmp_lg_##type) \
  SALU(s_cmp_ge_##type) SALU(s_cmp_o_##type) SALU(s_cmp_u_##type) SALU(s_cmp_nge_##type) SALU(s_cmp_nlg_##type) \
  SALU(s_cmp_ngt_##type) SALU(s_cmp_nle_##type) SALU(s_cmp_neq_##type) SALU(s_cmp_nlt_##type)
SCALAR_FLOATS(f32)
SCALAR_FLOATS(f16)
#undef SCALAR_FLOATS
SALU(s_fmaak_f32)
SALU(s_fmamk_f32)
SALU(s_cvt_f32_i32)
SALU(s_cvt_f32_u32)
SALU(s_cvt_i32_f32)
SALU(s_cvt_u32_f32)
SALU(s_cvt_f16_f32)
SALU(s_cvt_f32_f16)
SALU(s_cvt_hi_f32_f16)
SALU(s_cvt_pk_rtz_f16_f32)
SALU(s_add_u64)
SALU(s_sub_u64)
SALU(s_mul_u64)
// clang-format on
#elif !defined(GPUEXEC_EMULATOR_AMDGPU_OPS_SALU_RDNA_H)
#define GPUEXEC_EMULATOR_AMDGPU_OPS_SALU_RDNA_H

#include "emulator/amdgpu/ops/valu_cmp.h"
#include "emulator/amdgpu/ops/valu_cvt.h"
#include "emulator/amdgpu/ops/valu_math.h"
#include "emulator/amdgpu/ops/valu_rdna.h"

namespace gpuexec::emulator::ops {

#define GPUEXEC_SCALAR_1(NAME, FUNCTION, MAKE)                                 \
  GPUEXEC_OP u32 NAME(u32 a) {                                                 \
    return bits_of(FUNCTION(DEFAULT_MODE, MAKE(a)));                           \
  }
#define GPUEXEC_SCALAR_2(NAME, FUNCTION, MAKE)                                 \
  GPUEXEC_OP u32 NAME(u32 a, u32 b) {                                          \
    return bits_of(FUNCTION(DEFAULT_MODE, MAKE(a), MAKE(b)));                  \
  }
#define GPUEXEC_SCALAR_COMPARE(PREDICATE, SUFFIX)                              \
  GPUEXEC_OP Scc s_cmp_##PREDICATE##_##SUFFIX(u32 a, u32 b) {                  \
    return {v_cmp_##PREDICATE##_##SUFFIX(DEFAULT_MODE, SUFFIX(a), SUFFIX(b))}; \
  }
#define GPUEXEC_SCALAR_FLOATS(SUFFIX)                                          \
  GPUEXEC_SCALAR_2(s_add_##SUFFIX, v_add_##SUFFIX, SUFFIX)                     \
  GPUEXEC_SCALAR_2(s_sub_##SUFFIX, v_sub_##SUFFIX, SUFFIX)                     \
  GPUEXEC_SCALAR_2(s_mul_##SUFFIX, v_mul_##SUFFIX, SUFFIX)                     \
  GPUEXEC_SCALAR_2(s_min_##SUFFIX, v_min_num_##SUFFIX, SUFFIX)                 \
  GPUEXEC_SCALAR_2(s_max_##SUFFIX, v_max_num_##SUFFIX, SUFFIX)                 \
  GPUEXEC_SCALAR_2(s_minimum_##SUFFIX, v_minimum_##SUFFIX, SUFFIX)             \
  GPUEXEC_SCALAR_2(s_maximum_##SUFFIX, v_maximum_##SUFFIX, SUFFIX)             \
  GPUEXEC_OP u32 s_fmac_##SUFFIX(u32 old, u32 a, u32 b) {                      \
    return bits_of(                                                            \
        v_fma_##SUFFIX(DEFAULT_MODE, SUFFIX(a), SUFFIX(b), SUFFIX(old)));      \
  }                                                                            \
  GPUEXEC_SCALAR_1(s_ceil_##SUFFIX, v_ceil_##SUFFIX, SUFFIX)                   \
  GPUEXEC_SCALAR_1(s_floor_##SUFFIX, v_floor_##SUFFIX, SUFFIX)                 \
  GPUEXEC_SCALAR_1(s_trunc_##SUFFIX, v_trunc_##SUFFIX, SUFFIX)                 \
  GPUEXEC_SCALAR_1(s_rndne_##SUFFIX, v_rndne_##SUFFIX, SUFFIX)                 \
  GPUEXEC_SCALAR_1(v_s_exp_##SUFFIX, v_exp_##SUFFIX, SUFFIX)                   \
  GPUEXEC_SCALAR_1(v_s_log_##SUFFIX, v_log_##SUFFIX, SUFFIX)                   \
  GPUEXEC_SCALAR_1(v_s_rcp_##SUFFIX, v_rcp_##SUFFIX, SUFFIX)                   \
  GPUEXEC_SCALAR_1(v_s_rsq_##SUFFIX, v_rsq_##SUFFIX, SUFFIX)                   \
  GPUEXEC_SCALAR_1(v_s_sqrt_##SUFFIX, v_sqrt_##SUFFIX, SUFFIX)                 \
  GPUEXEC_SCALAR_COMPARE(lt, SUFFIX)                                           \
  GPUEXEC_SCALAR_COMPARE(eq, SUFFIX)                                           \
  GPUEXEC_SCALAR_COMPARE(le, SUFFIX)                                           \
  GPUEXEC_SCALAR_COMPARE(gt, SUFFIX)                                           \
  GPUEXEC_SCALAR_COMPARE(lg, SUFFIX)                                           \
  GPUEXEC_SCALAR_COMPARE(ge, SUFFIX)                                           \
  GPUEXEC_SCALAR_COMPARE(o, SUFFIX)                                            \
  GPUEXEC_SCALAR_COMPARE(u, SUFFIX)                                            \
  GPUEXEC_SCALAR_COMPARE(nge, SUFFIX)                                          \
  GPUEXEC_SCALAR_COMPARE(nlg, SUFFIX)                                          \
  GPUEXEC_SCALAR_COMPARE(ngt, SUFFIX)                                          \
  GPUEXEC_SCALAR_COMPARE(nle, SUFFIX)                                          \
  GPUEXEC_SCALAR_COMPARE(neq, SUFFIX)                                          \
  GPUEXEC_SCALAR_COMPARE(nlt, SUFFIX)
GPUEXEC_SCALAR_FLOATS(f32)
GPUEXEC_SCALAR_FLOATS(f16)
#undef GPUEXEC_SCALAR_FLOATS
#undef GPUEXEC_SCALAR_COMPARE
#undef GPUEXEC_SCALAR_2
#undef GPUEXEC_SCALAR_1

GPUEXEC_OP u32 s_fmaak_f32(u32 a, u32 b, u32 k) { return s_fmac_f32(k, a, b); }
GPUEXEC_OP u32 s_fmamk_f32(u32 a, u32 k, u32 b) { return s_fmac_f32(b, a, k); }

GPUEXEC_OP u32 s_cvt_f32_i32(i32 a) {
  return bits_of(v_cvt_f32_i32(DEFAULT_MODE, a));
}
GPUEXEC_OP u32 s_cvt_f32_u32(u32 a) {
  return bits_of(v_cvt_f32_u32(DEFAULT_MODE, a));
}
GPUEXEC_OP u32 s_cvt_i32_f32(u32 a) { return u32(v_cvt_i32_f32(f32(a))); }
GPUEXEC_OP u32 s_cvt_u32_f32(u32 a) { return v_cvt_u32_f32(f32(a)); }
GPUEXEC_OP u32 s_cvt_f16_f32(u32 a) {
  return bits_of(v_cvt_f16_f32(DEFAULT_MODE, f32(a)));
}
GPUEXEC_OP u32 s_cvt_f32_f16(u32 a) {
  return bits_of(v_cvt_f32_f16(DEFAULT_MODE, f16(a)));
}
GPUEXEC_OP u32 s_cvt_hi_f32_f16(u32 a) { return s_cvt_f32_f16(a >> 16); }
GPUEXEC_OP u32 s_cvt_pk_rtz_f16_f32(u32 a, u32 b) {
  return v_cvt_pkrtz_f16_f32(DEFAULT_MODE, f32(a), f32(b)).bits;
}

// 64-bit sums and products. They do not write scc.
GPUEXEC_OP u64 s_add_u64(u64 a, u64 b) { return a + b; }
GPUEXEC_OP u64 s_sub_u64(u64 a, u64 b) { return a - b; }
GPUEXEC_OP u64 s_mul_u64(u64 a, u64 b) { return a * b; }

} // namespace gpuexec::emulator::ops

#endif // GPUEXEC_EMULATOR_AMDGPU_OPS_SALU_RDNA_H
