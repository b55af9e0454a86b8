//===-- emulator/amdgpu/interpret/routines.cpp - Routines of a level ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled once per x86-64 level, as handlers.cpp.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/interpret/routines.h"
#include "emulator/amdgpu/access/lane_address.h"
#include "emulator/amdgpu/access/lane_data.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/interpret/cold_paths.h"
#include "emulator/amdgpu/ops/valu.h"

#include <immintrin.h>
#include <type_traits>
#include <utility>

// In this order: each builds on those before it.
// clang-format off
#include "emulator/amdgpu/interpret/operands.h"
#include "emulator/amdgpu/interpret/memory_access.h"
#include "emulator/amdgpu/interpret/memory_rows.h"
#include "emulator/amdgpu/interpret/gather.h"
#include "emulator/amdgpu/interpret/ordered.h"
#include "emulator/amdgpu/interpret/typed.h"
#include "emulator/amdgpu/interpret/wave_arithmetic.h"
#include "emulator/amdgpu/interpret/wave_memory.h"
// clang-format on

namespace gpuexec::emulator::amdgpu::LEVEL {

/// Vector operations that have routines: those that compilers emit for C, if
/// they take little time.
static constexpr OperationId QUICK[] = {
#define X(name) OperationId::name,
#define COMPARISONS(type)                                                      \
  X(v_cmp_lt_##type)                                                           \
  X(v_cmp_eq_##type)                                                           \
  X(v_cmp_le_##type) X(v_cmp_gt_##type) X(v_cmp_ne_##type) X(v_cmp_ge_##type)
#define FLOAT_COMPARISONS(type)                                                \
  X(v_cmp_lt_##type)                                                           \
  X(v_cmp_eq_##type)                                                           \
  X(v_cmp_le_##type)                                                           \
  X(v_cmp_gt_##type)                                                           \
  X(v_cmp_lg_##type)                                                           \
  X(v_cmp_ge_##type)                                                           \
  X(v_cmp_o_##type)                                                            \
  X(v_cmp_u_##type)                                                            \
  X(v_cmp_nge_##type)                                                          \
  X(v_cmp_nlg_##type)                                                          \
  X(v_cmp_ngt_##type)                                                          \
  X(v_cmp_nle_##type) X(v_cmp_neq_##type) X(v_cmp_nlt_##type)
    // clang-format off
    COMPARISONS(i16) COMPARISONS(u16) COMPARISONS(i32) COMPARISONS(u32) COMPARISONS(i64) COMPARISONS(u64)
    FLOAT_COMPARISONS(f32) FLOAT_COMPARISONS(f64)
    X(v_mov_b32) X(v_mov_b64) X(v_accvgpr_write_b32) X(v_accvgpr_read_b32) X(v_cndmask_b32)
    X(v_add_u32) X(v_sub_u32) X(v_subrev_u32) X(v_add_co_u32) X(v_sub_co_u32) X(v_subrev_co_u32)
    X(v_addc_co_u32) X(v_subb_co_u32) X(v_subbrev_co_u32) X(v_add3_u32) X(v_lshl_add_u32) X(v_add_lshl_u32)
    X(v_lshl_add_u64) X(v_lshl_or_b32) X(v_and_or_b32) X(v_or3_b32) X(v_xad_u32)
    X(v_and_b32) X(v_or_b32) X(v_xor_b32) X(v_not_b32) X(v_xnor_b32) X(v_bfi_b32) X(v_bfe_u32) X(v_bfe_i32)
    X(v_lshlrev_b32) X(v_lshrrev_b32) X(v_ashrrev_i32) X(v_lshlrev_b64) X(v_lshrrev_b64) X(v_ashrrev_i64)
    X(v_alignbit_b32) X(v_min_u32) X(v_max_u32) X(v_min_i32) X(v_max_i32) X(v_med3_i32) X(v_med3_u32)
    X(v_mul_lo_u32) X(v_mul_hi_u32) X(v_mul_u32_u24) X(v_mul_i32_i24) X(v_mad_u32_u24) X(v_mad_i32_i24)
    X(v_mad_u64_u32) X(v_mad_i64_i32) X(v_add_u16) X(v_sub_u16) X(v_lshlrev_b16) X(v_lshrrev_b16)
    X(v_mbcnt_lo_u32_b32) X(v_mbcnt_hi_u32_b32)
    X(v_add_f32) X(v_sub_f32) X(v_subrev_f32) X(v_mul_f32) X(v_fma_f32) X(v_fmac_f32) X(v_min_f32) X(v_max_f32)
    X(v_add_f64) X(v_mul_f64) X(v_fma_f64) X(v_fmac_f64)
    X(v_cvt_f64_i32) X(v_cvt_f64_u32) X(v_cvt_f64_f32) X(v_cvt_f32_f64) X(v_cvt_f32_i32) X(v_cvt_f32_u32)
// clang-format on
#undef FLOAT_COMPARISONS
#undef COMPARISONS
#undef X
};
static consteval bool is_quick(OperationId id) {
  for (OperationId quick : QUICK)
    if (quick == id)
      return true;
  return false;
}

/// The rows of one operation: one for each kind of operands.
template <size_t Count> struct Rows { RoutineRow rows[Count]; };
template <auto F, bool KeepHigh, OperationId Id>
static constexpr auto vector_rows() {
  if constexpr (is_quick(Id))
    return []<unsigned... K>(std::integer_sequence<unsigned, K...>) {
      return Rows<sizeof...(K)>{
          {wave_row<F, KeepHigh, K % 8, K / 8 % 2, K / 16>(Id)...}};
    }
  (std::make_integer_sequence<unsigned, 32>());
  else return Rows<1>{};
}
template <Space S, typename A, bool Write, OperationId Id>
static constexpr Rows<4> memory_rows() {
  return {{wave_memory_row<S, A, Write, false, false>(Id),
           wave_memory_row<S, A, Write, false, true>(Id),
           wave_memory_row<S, A, Write, true, false>(Id),
           wave_memory_row<S, A, Write, true, true>(Id)}};
}

/// All rows one after the other, as one array.
struct Table {
  // clang-format off
#define VALU(name) decltype(vector_rows<ops::name, false, OperationId::name>()) name = vector_rows<ops::name, false, OperationId::name>();
#define VALU_KEEP_HIGH(name) decltype(vector_rows<ops::name, true, OperationId::name>()) name = vector_rows<ops::name, true, OperationId::name>();
#include "emulator/amdgpu/ops/valu.def"
#define LOAD(space, name, bytes, is_signed, half) \
  Rows<4> name = memory_rows<Space::space, LaneData<bytes, is_signed, Half::half>, false, OperationId::name>();
#define STORE(space, name, bytes, half) \
  Rows<4> name = memory_rows<Space::space, LaneData<bytes, false, Half::half>, true, OperationId::name>();
#include "emulator/amdgpu/ops/memory.def"
  // clang-format on
};
static constexpr Table TABLE;
static_assert(sizeof(Table) % sizeof(RoutineRow) == 0);

} // namespace gpuexec::emulator::amdgpu::LEVEL

namespace gpuexec::emulator::amdgpu {
#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
RoutineTable PASTE(routines_, LEVEL)() {
  return {reinterpret_cast<const RoutineRow *>(&LEVEL::TABLE),
          sizeof(LEVEL::Table) / sizeof(RoutineRow)};
}
} // namespace gpuexec::emulator::amdgpu
