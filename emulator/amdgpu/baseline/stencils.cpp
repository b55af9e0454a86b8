//===-- emulator/amdgpu/baseline/stencils.cpp - The source of stencils ----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiled to an object file that is not linked: extract.cpp takes the machine
// code of these functions out of it. A hole is the address of a symbol that
// nobody defines. Each function ends with a jump to one, so that the code of
// the next micro-op can follow. What an instruction computes stands in ops/.
//
// State and its layout are part of this code: it is compiled with the emulator.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/access/buffer.h"
#include "emulator/amdgpu/access/lane_address.h"
#include "emulator/amdgpu/access/lane_data.h"
#include "emulator/amdgpu/baseline/stencil.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/register_parts.h"
#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/interpret/routines.h"
#include "emulator/amdgpu/ops/salu.h"
#include "emulator/amdgpu/ops/valu.h"

#include <immintrin.h>
#include <tuple>
#include <type_traits>
#include <utility>

#define LEVEL baseline_level
#include "emulator/amdgpu/interpret/operands.h"
#include "emulator/amdgpu/interpret/typed.h"

// In this order: each builds on those before it.
// clang-format off
#include "emulator/amdgpu/baseline/holes.h"
#include "emulator/amdgpu/baseline/arithmetic.h"
#include "emulator/amdgpu/baseline/memory.h"
#include "emulator/amdgpu/baseline/control.h"
#include "emulator/amdgpu/baseline/wave_control.h"
// clang-format on

namespace gpuexec::emulator::amdgpu::baseline {
namespace {

constexpr Row plain(OperationId id, Handler code, Handler cold = nullptr,
                    Source s0 = Source::row, Source s1 = Source::row) {
  return {Key{u16(id), 0, 0, {u8(s0), u8(s1), 0}, 0, 0}, code, cold};
}
constexpr Row micro(MicroOpKind kind, Handler code, Handler cold = nullptr,
                    u8 which = 0) {
  return {Key{0, u8(kind), 0, {which, 0, 0}, 0, 0}, code, cold};
}
constexpr Row special(Special special, Handler code, Handler cold = nullptr) {
  return {Key{0, 0, 0, {}, 0, u8(special)}, code, cold};
}
constexpr Row in_waves(Row row) {
  row.key.lanes = u8(Lanes::any);
  return row;
}

} // namespace

// clang-format off
#define ROW_(name, f, k, a, b, c, m) vector_row<f, k, Source::a, Source::b, Source::c, m>(OperationId::name),
#define LAST(name, f, k, a, b, m) ROW_(name, f, k, a, b, row, m) ROW_(name, f, k, a, b, scalar, m)
#define SECOND(name, f, k, a, m) LAST(name, f, k, a, row, m) LAST(name, f, k, a, scalar, m)
#define FIRST(name, f, k, m) SECOND(name, f, k, row, m) SECOND(name, f, k, scalar, m) SECOND(name, f, k, literal, m)
#define LITERAL_SECOND(name, f, k, m) LAST(name, f, k, row, literal, m) LAST(name, f, k, scalar, literal, m)
#define LITERAL_THIRD(name, f, k, m) \
  ROW_(name, f, k, row, row, literal, m) ROW_(name, f, k, row, scalar, literal, m) \
  ROW_(name, f, k, scalar, row, literal, m) ROW_(name, f, k, scalar, scalar, literal, m)
#define WITH_LITERAL(name, f, k, m) FIRST(name, f, k, m) LITERAL_SECOND(name, f, k, m) LITERAL_THIRD(name, f, k, m)
#define VECTOR(name, f, k) WITH_LITERAL(name, f, k, false) WITH_LITERAL(name, f, k, true)
#define SCALARS(name, f, row) \
  row<f, Source::scalar, Source::scalar>(OperationId::name), row<f, Source::literal, Source::scalar>(OperationId::name), \
  row<f, Source::scalar, Source::literal>(OperationId::name),
#define ADDRESSES(name, space, bytes, is_signed, half, write) \
  memory_row<Space::space, bytes, is_signed, Half::half, write, false, false>(OperationId::name), \
  memory_row<Space::space, bytes, is_signed, Half::half, write, false, true>(OperationId::name), \
  memory_row<Space::space, bytes, is_signed, Half::half, write, true, false>(OperationId::name), \
  memory_row<Space::space, bytes, is_signed, Half::half, write, true, true>(OperationId::name),

// The stencils of a special instruction, by SpecialStencil.
#define STENCIL_none(name)
#define STENCIL_branch(name) plain(OperationId::name, branch, stop),
#define STENCIL_call(name) plain(OperationId::name, call, stop),
#define STENCIL_get_pc(name) plain(OperationId::name, getpc),
#define STENCIL_set_pc(name) plain(OperationId::name, setpc, decode_target),
#define STENCIL_swap_pc(name) plain(OperationId::name, swappc, decode_target),
#define STENCIL_read_first_lane(name) plain(OperationId::name, read_first_lane),
#define STENCIL_read_lane(name) \
  plain(OperationId::name, read_lane<Source::scalar>, nullptr, Source::row, Source::scalar), \
  plain(OperationId::name, read_lane<Source::literal>, nullptr, Source::row, Source::literal),
#define STENCIL_write_lane(name) \
  plain(OperationId::name, write_lane<Source::scalar, Source::scalar>, nullptr, Source::scalar, Source::scalar),

extern "C" [[gnu::used]] constexpr Row baseline_stencils[] = {
#define VALU(name) VECTOR(name, ops::name, false)
#define VALU_SAT(name) VECTOR(name, ops::name, false)
#define VALU_KEEP_HIGH(name) VECTOR(name, ops::name, true)
#define VALU_KEEP_HIGH_SAT(name) VECTOR(name, ops::name, true)
#include "emulator/amdgpu/ops/valu.def"
#define SALU(name) SCALARS(name, ops::name, scalar_row) SCALARS(name, ops::name, pair_exec_row) SCALARS(name, ops::name, wave_pair_exec_row)
#define SALU_SAVEEXEC(name, logic) \
  exec_row<ops::logic, true, Source::scalar>(OperationId::name), exec_row<ops::logic, true, Source::literal>(OperationId::name), \
  wave_saveexec_row<ops::logic, true, Source::scalar>(OperationId::name), wave_saveexec_row<ops::logic, true, Source::literal>(OperationId::name),
#define SALU_WREXEC(name, logic) \
  exec_row<ops::logic, false, Source::scalar>(OperationId::name), wave_saveexec_row<ops::logic, false, Source::scalar>(OperationId::name),
#include "emulator/amdgpu/ops/salu.def"
// Masks of 32 lanes.
#define MASK(name) SCALARS(name, ops::name, scalar_exec_row) SCALARS(name, ops::name, wave_exec_row)
  MASK(s_mov_b32) MASK(s_not_b32) MASK(s_and_b32) MASK(s_andn2_b32) MASK(s_or_b32) MASK(s_orn2_b32) MASK(s_xor_b32)
  MASK(s_nand_b32) MASK(s_nor_b32) MASK(s_xnor_b32) MASK(s_cselect_b32)
#undef MASK
#define LOAD(space, name, bytes, is_signed, half) ADDRESSES(name, space, bytes, is_signed, half, false)
#define STORE(space, name, bytes, half) ADDRESSES(name, space, bytes, false, half, true)
#define LOAD_TWO(name, bytes, unit) two_row<bytes, false>(OperationId::name),
#define STORE_TWO(name, bytes, unit) two_row<bytes, true>(OperationId::name),
#define SCALAR_LOAD(space, name, words) scalar_load_row<Space::space, words, false>(OperationId::name), scalar_load_row<Space::space, words, true>(OperationId::name),
#define SCALAR_LOAD_PART(space, name, type) scalar_part_row<Space::space, ops::type, false>(OperationId::name), scalar_part_row<Space::space, ops::type, true>(OperationId::name),
#include "emulator/amdgpu/ops/memory.def"
#define SPECIAL(name, class, handler, uses, stencil, jit, shadow) STENCIL_##stencil(name)
#define JUMP(name, terminator, handler, uses, stencil, shadow) STENCIL_##stencil(name)
#define BRANCH_IF(name, condition, shadow) plain(OperationId::name, conditional<Condition::condition>),
#include "emulator/amdgpu/ops/special.def"
  micro(MicroOpKind::set_exec, set_exec, exec_cold),
  micro(MicroOpKind::copy_scalar, copy_scalar<0>, nullptr, 0),
  micro(MicroOpKind::copy_scalar, copy_scalar<1>, nullptr, 1),
  micro(MicroOpKind::copy_scalar, copy_scalar<2>, nullptr, 2),
  micro(MicroOpKind::copy_scalar, copy_scalar<3>, nullptr, 3),
  micro(MicroOpKind::link, branch, stop),
  micro(MicroOpKind::fence, fence),
  micro(MicroOpKind::skip, skip),
  micro(MicroOpKind::preempt, preempt),
  count_divergence_row(),
  count_row<false, false>(), count_row<false, true>(), count_row<true, false>(), count_row<true, true>(),
  count_access_row<false, false, false>(), count_access_row<false, false, true>(), count_access_row<false, true, true>(),
  count_access_row<true, false, false>(), count_access_row<true, false, true>(), count_access_row<true, true, true>(),
  special(Special::entry, entry, forget),
  special(Special::zero_mask, zero_mask),
  special(Special::leave, leave),
  special(Special::dispatch, dispatch),
  special(Special::branch, branch, stop),
  special(Special::late_branch, late_branch),
  special(Special::passed, passed),
  special(Special::save_exec, save_exec_alone<u64>),
  special(Special::save_exec_low, save_exec_alone<u32>),
  special(Special::store_register, move_register<Space::scratch, true>),
  special(Special::load_register, move_register<Space::scratch, false>),
  special(Special::store_register_by_buffer, move_register<Space::buffer, true>),
  special(Special::load_register_by_buffer, move_register<Space::buffer, false>),
  micro(MicroOpKind::sdwa, sdwa<Source::row>, nullptr, u8(Source::row)),
  micro(MicroOpKind::upper_half, upper_half<Source::row>, nullptr, u8(Source::row)),
  micro(MicroOpKind::upper_half, upper_half<Source::literal>, nullptr, u8(Source::literal)),
  micro(MicroOpKind::insert_half, insert_half<false>, nullptr, HalfInsertion{false}.pack()),
  micro(MicroOpKind::insert_half, insert_half<true>, nullptr, HalfInsertion{true}.pack()),
  in_waves(plain(OperationId::v_readfirstlane_b32, wave_first_lane)),
  in_waves(micro(MicroOpKind::set_exec, wave_set_exec)),
  in_waves(micro(MicroOpKind::count_divergence, wave_divergence)),
  wave_count_row<false>(), wave_count_row<true>(),
  in_waves(special(Special::entry, wave_entry, forget)),
  in_waves(special(Special::go, wave_go, stop)),
  in_waves(special(Special::by_shape, wave_shape)),
  in_waves(special(Special::put_literal, put_literal)),
  in_waves(special(Special::call, call_plain)),
  in_waves(special(Special::call_memory, call_memory)),
};
// clang-format on

} // namespace gpuexec::emulator::amdgpu::baseline
