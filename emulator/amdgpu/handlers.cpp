//===-- emulator/amdgpu/handlers.cpp - All handlers of one level ----------===//
// Compiled once per x86-64 level with LEVEL set to its name and the compiler's
// -march to match. Everything here has internal linkage but the table, so that
// the linker can never mix code of two levels.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/ops/salu.h"
#include "emulator/amdgpu/ops/valu.h"
#include "emulator/amdgpu/slow.h"
#include "emulator/amdgpu/state.h"
#include "emulator/amdgpu/table.h"

#include <immintrin.h>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

// In this order: each builds on those before it.
// clang-format off
#include "emulator/amdgpu/operands.h"
#include "emulator/amdgpu/lanes.h"
#include "emulator/amdgpu/scalar.h"
#include "emulator/amdgpu/packed.h"
#include "emulator/amdgpu/memory_access.h"
#include "emulator/amdgpu/memory_rows.h"
#include "emulator/amdgpu/loads_stores.h"
#include "emulator/amdgpu/atomics.h"
#include "emulator/amdgpu/control.h"
#include "emulator/amdgpu/steps.h"
// clang-format on

namespace gpuexec::emulator::amdgpu::LEVEL {

constexpr Operation special(const char *name, Handler any, Uses uses = {},
                            Handler none = nullptr, Form form = Form::special) {
  Operation op;
  op.name = name;
  op.form = form;
  op.uses = uses;
  for (unsigned k = 0; k < SHAPES; ++k)
    op.fn[k] = any;
  if (none)
    op.fn[NONE] = none;
  return op;
}

constexpr Use LANE_VALUE = reads(File::vector, 1),
              LANE_RESULT = writes(File::vector, 1),
              SCALAR_RESULT = writes(File::scalar, 1),
              PAIR_RESULT = writes(File::scalar, 2);
constexpr Uses only_writes(Use dst) { return from_to({}, dst); }
constexpr Uses only_reads(Use src) { return from_to(src, {}); }
/// The second source is a lane's number.
constexpr Uses with_lane_number(Uses uses) {
  uses.src[1] = reads(File::value, 1);
  return uses;
}
constexpr Uses permute_uses() {
  Uses uses = from_to(LANE_VALUE, LANE_RESULT);
  uses.src[2] = LANE_VALUE;
  return uses;
}
constexpr Operation load_special(const char *name, Handler any,
                                 unsigned words) {
  Uses uses = from_to(reads(File::scalar, 2), writes(File::scalar, words));
  uses.src[1] = reads(File::scalar, 1).optionally();
  return special(name, any, uses);
}

static constexpr Operation OPERATIONS[] = {
#define VALU(name) valu_operation<ops::name, false, false>(#name, Form::valu),
#define VALU_SAT(name)                                                         \
  valu_operation_sat<ops::name, ops::name##_sat, false>(#name),
#define VALU_TIED(name)                                                        \
  valu_operation<ops::name, false, true>(#name, Form::valu),
#define VALU_KEEP_HIGH(name)                                                   \
  valu_operation<ops::name, true, false>(#name, Form::valu),
#define VALU_KEEP_HIGH_SAT(name)                                               \
  valu_operation_sat<ops::name, ops::name##_sat, true>(#name),
#define VALU_KEEP_HIGH_TIED(name)                                              \
  valu_operation<ops::name, true, true>(#name, Form::valu),
#define VCMP(name) valu_operation<ops::name, false, false>(#name, Form::vcmp),
#define VPK(name, half) packed_operation<ops::half, false>(#name, Form::packed),
#define VPK_SAT(name, half)                                                    \
  packed_operation_sat<ops::half, ops::half##_sat>(#name),
#define VPK_TIED(name, half)                                                   \
  packed_operation<ops::half, true>(#name, Form::packed),
#define VPK32(name, half)                                                      \
  packed_operation<ops::half, false>(#name, Form::packed32),
#define VMIX(name) mix_operation<ops::name>(#name, is_mixhi(#name)),
#include "emulator/amdgpu/ops/valu.def"
#define SALU(name) scalar_operation<ops::name, false>(#name),
#define SALU_TIED(name) scalar_operation<ops::name, true>(#name),
#define SALU_SAVEEXEC(name, logic) exec_operation<ops::logic, true>(#name),
#define SALU_WREXEC(name, logic) exec_operation<ops::logic, false>(#name),
#include "emulator/amdgpu/ops/salu.def"

#define LOAD(space, name, ...)                                                 \
  memory_operation<Transfer<Space::space, Access<__VA_ARGS__>, false>>(#name),
#define STORE(space, name, ...)                                                \
  memory_operation<Transfer<Space::space, Access<__VA_ARGS__>, true>>(#name),
#define LOADS_AND_STORES(space, prefix)                                        \
  LOAD(space, prefix##_load_ubyte, 1)                                          \
  LOAD(space, prefix##_load_sbyte, 1, true)                                    \
  LOAD(space, prefix##_load_ushort, 2)                                         \
  LOAD(space, prefix##_load_sshort, 2, true)                                   \
  LOAD(space, prefix##_load_ubyte_d16, 1, false, 1)                            \
  LOAD(space, prefix##_load_ubyte_d16_hi, 1, false, 2)                         \
  LOAD(space, prefix##_load_sbyte_d16, 1, true, 1)                             \
  LOAD(space, prefix##_load_sbyte_d16_hi, 1, true, 2)                          \
  LOAD(space, prefix##_load_short_d16, 2, false, 1)                            \
  LOAD(space, prefix##_load_short_d16_hi, 2, false, 2)                         \
  LOAD(space, prefix##_load_dword, 4)                                          \
  LOAD(space, prefix##_load_dwordx2, 8)                                        \
  LOAD(space, prefix##_load_dwordx3, 12)                                       \
  LOAD(space, prefix##_load_dwordx4, 16)                                       \
  STORE(space, prefix##_store_byte, 1)                                         \
  STORE(space, prefix##_store_byte_d16_hi, 1, false, 2)                        \
  STORE(space, prefix##_store_short, 2)                                        \
  STORE(space, prefix##_store_short_d16_hi, 2, false, 2)                       \
  STORE(space, prefix##_store_dword, 4)                                        \
  STORE(space, prefix##_store_dwordx2, 8)                                      \
  STORE(space, prefix##_store_dwordx3, 12)                                     \
  STORE(space, prefix##_store_dwordx4, 16)
    LOADS_AND_STORES(global, global) LOADS_AND_STORES(
        flat, flat) LOADS_AND_STORES(scratch, scratch) LOADS_AND_STORES(buffer,
                                                                        buffer)

#define ATOMIC(space, name, ...)                                               \
  memory_operation<Atomic<Space::space, __VA_ARGS__>>(#name),
#define ATOMICS(space, prefix)                                                 \
  ATOMIC(space, prefix##_atomic_swap, Rmw<Swap, u32>)                          \
  ATOMIC(space, prefix##_atomic_cmpswap, CompareSwap<u32, false>)              \
  ATOMIC(space, prefix##_atomic_add, Rmw<Add, u32>)                            \
  ATOMIC(space, prefix##_atomic_sub, Rmw<Sub, u32>)                            \
  ATOMIC(space, prefix##_atomic_smin, Rmw<Min, i32>)                           \
  ATOMIC(space, prefix##_atomic_umin, Rmw<Min, u32>)                           \
  ATOMIC(space, prefix##_atomic_smax, Rmw<Max, i32>)                           \
  ATOMIC(space, prefix##_atomic_umax, Rmw<Max, u32>)                           \
  ATOMIC(space, prefix##_atomic_and, Rmw<And, u32>)                            \
  ATOMIC(space, prefix##_atomic_or, Rmw<Or, u32>)                              \
  ATOMIC(space, prefix##_atomic_xor, Rmw<Xor, u32>)                            \
  ATOMIC(space, prefix##_atomic_inc, Rmw<Inc, u32>)                            \
  ATOMIC(space, prefix##_atomic_dec, Rmw<Dec, u32>)                            \
  ATOMIC(space, prefix##_atomic_swap_x2, Rmw<Swap, u64>)                       \
  ATOMIC(space, prefix##_atomic_cmpswap_x2, CompareSwap<u64, false>)           \
  ATOMIC(space, prefix##_atomic_add_x2, Rmw<Add, u64>)                         \
  ATOMIC(space, prefix##_atomic_sub_x2, Rmw<Sub, u64>)                         \
  ATOMIC(space, prefix##_atomic_smin_x2, Rmw<Min, i64>)                        \
  ATOMIC(space, prefix##_atomic_umin_x2, Rmw<Min, u64>)                        \
  ATOMIC(space, prefix##_atomic_smax_x2, Rmw<Max, i64>)                        \
  ATOMIC(space, prefix##_atomic_umax_x2, Rmw<Max, u64>)                        \
  ATOMIC(space, prefix##_atomic_and_x2, Rmw<And, u64>)                         \
  ATOMIC(space, prefix##_atomic_or_x2, Rmw<Or, u64>)                           \
  ATOMIC(space, prefix##_atomic_xor_x2, Rmw<Xor, u64>)                         \
  ATOMIC(space, prefix##_atomic_inc_x2, Rmw<Inc, u64>)                         \
  ATOMIC(space, prefix##_atomic_dec_x2, Rmw<Dec, u64>)                         \
  ATOMIC(space, prefix##_atomic_add_f32, Rmw<Fadd, float>)                     \
  ATOMIC(space, prefix##_atomic_add_f64, Rmw<Fadd, double>)                    \
  ATOMIC(space, prefix##_atomic_min_f64, Rmw<Fmin, double>)                    \
  ATOMIC(space, prefix##_atomic_max_f64, Rmw<Fmax, double>)                    \
  ATOMIC(space, prefix##_atomic_pk_add_f16, Rmw<PkAddF16, u32>)                \
  ATOMIC(space, prefix##_atomic_pk_add_bf16, Rmw<PkAddBf16, u32>)
        ATOMICS(global, global) ATOMICS(flat, flat) ATOMICS(buffer, buffer)

            LOAD(lds, ds_read_u8, 1) LOAD(lds, ds_read_i8, 1, true)
                LOAD(lds, ds_read_u16, 2) LOAD(lds, ds_read_i16, 2, true) LOAD(
                    lds, ds_read_u8_d16, 1, false,
                    1) LOAD(lds, ds_read_u8_d16_hi, 1, false,
                            2) LOAD(lds, ds_read_i8_d16, 1, true,
                                    1) LOAD(lds, ds_read_i8_d16_hi, 1, true, 2)
                    LOAD(lds, ds_read_u16_d16, 2, false, 1) LOAD(
                        lds, ds_read_u16_d16_hi,
                        2,
                        false, 2) LOAD(lds, ds_read_b32,
                                       4) LOAD(lds, ds_read_b64, 8)
                        LOAD(lds, ds_read_b96, 12) LOAD(lds, ds_read_b128, 16)
                            STORE(lds, ds_write_b8,
                                  1) STORE(lds, ds_write_b8_d16_hi, 1, false, 2)
                                STORE(lds, ds_write_b16, 2) STORE(
                                    lds, ds_write_b16_d16_hi, 2, false,
                                    2) STORE(lds, ds_write_b32,
                                             4) STORE(lds, ds_write_b64, 8)
                                    STORE(lds, ds_write_b96,
                                          12) STORE(lds, ds_write_b128, 16)
                                        memory_operation<Two<Access<4>, false>>(
                                            "ds_read2_b32"),
    memory_operation<Two<Access<8>, false>>("ds_read2_b64"),
    memory_operation<Two<Access<4>, false>>("ds_read2st64_b32"),
    memory_operation<Two<Access<8>, false>>("ds_read2st64_b64"),
    memory_operation<Two<Access<4>, true>>("ds_write2_b32"),
    memory_operation<Two<Access<8>, true>>("ds_write2_b64"),
    memory_operation<Two<Access<4>, true>>("ds_write2st64_b32"),
    memory_operation<Two<Access<8>, true>>("ds_write2st64_b64"),
// The decoder drops _rtn: it is known by the destination.
#define DS_ATOMICS(u, i, U, I)                                                 \
  ATOMIC(lds, ds_add_##u, Rmw<Add, U>)                                         \
  ATOMIC(lds, ds_sub_##u, Rmw<Sub, U>)                                         \
  ATOMIC(lds, ds_rsub_##u, Rmw<Rsub, U>)                                       \
  ATOMIC(lds, ds_inc_##u, Rmw<Inc, U>)                                         \
  ATOMIC(lds, ds_dec_##u, Rmw<Dec, U>)                                         \
  ATOMIC(lds, ds_min_##i, Rmw<Min, I>)                                         \
  ATOMIC(lds, ds_max_##i, Rmw<Max, I>)                                         \
  ATOMIC(lds, ds_min_##u, Rmw<Min, U>)                                         \
  ATOMIC(lds, ds_max_##u, Rmw<Max, U>)
    DS_ATOMICS(u32, i32, u32, i32) DS_ATOMICS(u64, i64, u64, i64) ATOMIC(
        lds, ds_and_b32, Rmw<And, u32>) ATOMIC(lds, ds_or_b32, Rmw<Or, u32>)
        ATOMIC(lds, ds_xor_b32, Rmw<Xor, u32>) ATOMIC(
            lds, ds_mskor_b32, MaskOr<u32>) ATOMIC(lds, ds_wrxchg_b32,
                                                   Rmw<Swap, u32>)
            ATOMIC(lds, ds_cmpst_b32, CompareSwap<u32, true>) ATOMIC(
                lds, ds_and_b64, Rmw<And, u64>) ATOMIC(lds, ds_or_b64,
                                                       Rmw<Or, u64>)
                ATOMIC(lds, ds_xor_b64, Rmw<Xor, u64>) ATOMIC(
                    lds, ds_mskor_b64,
                    MaskOr<u64>) ATOMIC(lds, ds_wrxchg_b64, Rmw<Swap, u64>)
                    ATOMIC(lds, ds_cmpst_b64, CompareSwap<u64, true>) ATOMIC(
                        lds, ds_cmpst_f32,
                        CompareSwapFloat<float>)
                        ATOMIC(lds, ds_cmpst_f64, CompareSwapFloat<double>)
                            ATOMIC(lds, ds_min_f32, Rmw<Fmin, float>) ATOMIC(
                                lds, ds_max_f32, Rmw<Fmax, float>)
                                ATOMIC(
                                    lds, ds_min_f64,
                                    Rmw<Fmin, double>) ATOMIC(lds, ds_max_f64,
                                                              Rmw<Fmax, double>)
                                    ATOMIC(lds, ds_add_f32, Rmw<Fadd, float>)
                                        ATOMIC(lds, ds_add_f64,
                                               Rmw<Fadd, double>)
                                            ATOMIC(lds, ds_pk_add_f16,
                                                   Rmw<PkAddF16, u32>)
                                                ATOMIC(lds, ds_pk_add_bf16,
                                                       Rmw<PkAddBf16, u32>)
                                                    ATOMIC(lds, ds_wrap_b32,
                                                           Wrap)
                                                        packed_move_operation(),
    special("ds_bpermute_b32", ds_bpermute, permute_uses(), skip, Form::memory),
    special("ds_permute_b32", ds_permute, permute_uses(), skip, Form::memory),
    special("ds_swizzle_b32", ds_swizzle, from_to(LANE_VALUE, LANE_RESULT),
            skip),
    special("ds_append", ds_append<true>, only_writes(LANE_RESULT), skip),
    special("ds_consume", ds_append<false>, only_writes(LANE_RESULT), skip),

    load_special("s_load_dword", scalar_load<1, false>, 1),
    load_special("s_load_dwordx2", scalar_load<2, false>, 2),
    load_special("s_load_dwordx4", scalar_load<4, false>, 4),
    load_special("s_load_dwordx8", scalar_load<8, false>, 8),
    load_special("s_load_dwordx16", scalar_load<16, false>, 16),
    load_special("s_buffer_load_dword", scalar_load<1, true>, 1),
    load_special("s_buffer_load_dwordx2", scalar_load<2, true>, 2),
    load_special("s_buffer_load_dwordx4", scalar_load<4, true>, 4),
    load_special("s_buffer_load_dwordx8", scalar_load<8, true>, 8),
    load_special("s_buffer_load_dwordx16", scalar_load<16, true>, 16),
    special("s_memtime", memtime, only_writes(PAIR_RESULT)),
    special("s_memrealtime", memtime, only_writes(PAIR_RESULT)),
    special("s_getreg_b32", getreg, only_writes(SCALAR_RESULT)),
    special("s_setreg_b32", setreg, only_reads(reads(File::scalar, 1))),
    special("s_setreg_imm32_b32", setreg),
    special("s_set_gpr_idx_on", gpr_index_on,
            only_reads(reads(File::value, 1))),
    special("s_set_gpr_idx_idx", gpr_index, only_reads(reads(File::value, 1))),
    special("s_set_gpr_idx_mode", gpr_index_mode),
    special("s_set_gpr_idx_off", skip),
    special("v_readfirstlane_b32", readfirstlane,
            from_to(reads(File::any, 1), SCALAR_RESULT)),
    special("v_readlane_b32", readlane,
            with_lane_number(from_to(reads(File::any, 1), SCALAR_RESULT))),
    special("v_writelane_b32", writelane,
            with_lane_number(from_to(reads(File::value, 1), LANE_RESULT))),
    special("v_swap_b32", swap_rows, from_to(LANE_RESULT, LANE_RESULT), skip),
    special("v_nop", skip),
    special("v_clrexcp", skip),

    special("s_branch", branch),
    special("s_cbranch_scc0", conditional<SCC0>),
    special("s_cbranch_scc1", conditional<SCC1>),
    special("s_cbranch_vccz", conditional<VCCZ>),
    special("s_cbranch_vccnz", conditional<VCCNZ>),
    special("s_cbranch_execz", conditional<EXECZ>),
    special("s_cbranch_execnz", conditional<EXECNZ>),
    special("s_call_b64", call, only_writes(PAIR_RESULT)),
    special("s_getpc_b64", getpc, only_writes(PAIR_RESULT)),
    special("s_setpc_b64", setpc, only_reads(reads(File::value, 2))),
    special("s_swappc_b64", swappc,
            from_to(reads(File::value, 2), PAIR_RESULT)),
    special("s_endpgm", end_program),
    special("s_endpgm_saved", end_program),
    special("s_barrier", barrier),
    special("s_sleep", sleep),
    special("s_trap", trap),
    special("s_nop", skip),
    special("s_waitcnt", skip),
    special("s_setprio", skip),
    special("s_sethalt", skip),
    special("s_setkill", skip),
    special("s_wakeup", skip),
    special("s_sendmsg", skip),
    special("s_icache_inv", skip),
    special("s_incperflevel", skip),
    special("s_decperflevel", skip),
    special("s_ttracedata", ttrace),
    special("s_dcache_inv", fence),
    special("s_dcache_inv_vol", fence),
    special("s_dcache_wb", fence),
    special("s_dcache_wb_vol", fence),
    special("buffer_wbl2", fence),
    special("buffer_inv", fence),
    special("buffer_invl2", fence),
    special("buffer_wbinvl1", fence),
    special("buffer_wbinvl1_vol", fence),
    special("ds_nop", skip),
};

static void enter(State &s, const Inst *i) {
  i->fn[s.shape](s, i);
#if defined(__AVX__)
  _mm256_zeroupper(); // for the caller, which the compiler did not know to be
                      // mixed
#endif
}

} // namespace gpuexec::emulator::amdgpu::LEVEL

namespace gpuexec::emulator::amdgpu {
#define PASTE2(a, b) a##b
#define PASTE(a, b) PASTE2(a, b)
#define STRING2(a) #a
#define STRING(a) STRING2(a)
const Level &PASTE(level_, LEVEL)() {
  using namespace LEVEL;
  static constexpr Level level = {
      STRING(LEVEL),
      OPERATIONS,
      sizeof(OPERATIONS) / sizeof(OPERATIONS[0]),
      {sdwa, sdwa_merge, dpp, masked_copy, modify, upper_half, insert_half,
       finish, copy_scalar, set_exec, indexed, link, unsupported, illegal,
       leave_code, count, count_divergence, note, skip, fence},
      LEVEL::enter,
  };
  return level;
}
} // namespace gpuexec::emulator::amdgpu
