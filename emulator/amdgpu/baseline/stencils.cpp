//===-- emulator/amdgpu/baseline/stencils.cpp - The source of stencils ----===//
// Compiled to an object file that is not linked: extract.cpp takes the machine
// code of these functions out of it. A hole is the address of a symbol that
// nobody defines. Each function ends with a jump to one, so that the code of
// the next micro-op can follow. What an instruction computes stands in ops/.
//
// State and its layout are part of this code: it is compiled with the emulator.
//===----------------------------------------------------------------------===//
#include "emulator/amdgpu/baseline/stencil.h"
#include "emulator/amdgpu/decode/operation.h"
#include "emulator/amdgpu/decode/state.h"
#include "emulator/amdgpu/ops/salu.h"
#include "emulator/amdgpu/ops/valu.h"

#include <immintrin.h>
#include <tuple>
#include <type_traits>
#include <utility>

#define LEVEL baseline_level
#include "emulator/amdgpu/interpret/operands.h"

// In this order: each builds on those before it.
// clang-format off
#include "emulator/amdgpu/baseline/holes.h"
#include "emulator/amdgpu/baseline/arithmetic.h"
#include "emulator/amdgpu/baseline/memory.h"
#include "emulator/amdgpu/baseline/control.h"
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

} // namespace

// clang-format off
#define ROW_(name, f, a, b, c, m) vector_row<f, Source::a, Source::b, Source::c, m>(OperationId::name),
#define LAST(name, f, a, b, m) ROW_(name, f, a, b, row, m) ROW_(name, f, a, b, scalar, m)
#define SECOND(name, f, a, m) LAST(name, f, a, row, m) LAST(name, f, a, scalar, m)
#define FIRST(name, f, m) SECOND(name, f, row, m) SECOND(name, f, scalar, m) SECOND(name, f, literal, m)
#define VECTOR(name, f) FIRST(name, f, false) FIRST(name, f, true)
#define SCALARS(name, f, row) \
  row<f, Source::scalar, Source::scalar>(OperationId::name), row<f, Source::literal, Source::scalar>(OperationId::name), \
  row<f, Source::scalar, Source::literal>(OperationId::name),
#define ADDRESSES(name, space, bytes, is_signed, half, write) \
  memory_row<Space::space, bytes, is_signed, Half::half, write, false, false>(OperationId::name), \
  memory_row<Space::space, bytes, is_signed, Half::half, write, false, true>(OperationId::name), \
  memory_row<Space::space, bytes, is_signed, Half::half, write, true, false>(OperationId::name), \
  memory_row<Space::space, bytes, is_signed, Half::half, write, true, true>(OperationId::name),

extern "C" [[gnu::used]] constexpr Row baseline_stencils[] = {
#define VALU(name) VECTOR(name, ops::name)
#define VALU_SAT(name) VECTOR(name, ops::name)
#define VALU_KEEP_HIGH(name)
#define VALU_KEEP_HIGH_SAT(name)
#include "emulator/amdgpu/ops/valu.def"
#define SALU(name) SCALARS(name, ops::name, scalar_row) SCALARS(name, ops::name, scalar_exec_row)
#define SALU_SAVEEXEC(name, logic) exec_row<ops::logic, true, Source::scalar>(OperationId::name), exec_row<ops::logic, true, Source::literal>(OperationId::name),
#define SALU_WREXEC(name, logic) exec_row<ops::logic, false, Source::scalar>(OperationId::name),
#include "emulator/amdgpu/ops/salu.def"
#define LOAD(space, name, bytes, is_signed, half) ADDRESSES(name, space, bytes, is_signed, half, false)
#define STORE(space, name, bytes, half) ADDRESSES(name, space, bytes, false, half, true)
#define SCALAR_LOAD(space, name, words) scalar_load_row<Space::space, words, false>(OperationId::name), scalar_load_row<Space::space, words, true>(OperationId::name),
#include "emulator/amdgpu/ops/memory.def"
  plain(OperationId::s_branch, branch, stop),
#define BRANCH_IF(name, condition) plain(OperationId::name, conditional<Condition::condition>),
#include "emulator/amdgpu/ops/special.def"
  plain(OperationId::s_call_b64, call, stop),
  plain(OperationId::s_getpc_b64, getpc),
  plain(OperationId::s_setpc_b64, setpc),
  plain(OperationId::s_swappc_b64, swappc),
  plain(OperationId::v_readfirstlane_b32, read_first_lane),
  plain(OperationId::v_readlane_b32, read_lane<Source::scalar>, nullptr, Source::row, Source::scalar),
  plain(OperationId::v_readlane_b32, read_lane<Source::literal>, nullptr, Source::row, Source::literal),
  plain(OperationId::v_writelane_b32, write_lane<Source::scalar, Source::scalar>, nullptr, Source::scalar, Source::scalar),
  micro(MicroOpKind::set_exec, set_exec, exec_cold),
  micro(MicroOpKind::copy_scalar, copy_scalar<0>, nullptr, 0),
  micro(MicroOpKind::copy_scalar, copy_scalar<1>, nullptr, 1),
  micro(MicroOpKind::copy_scalar, copy_scalar<2>, nullptr, 2),
  micro(MicroOpKind::link, branch, stop),
  micro(MicroOpKind::fence, fence),
  micro(MicroOpKind::skip, skip),
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
  special(Special::save_exec, save_exec_alone),
  special(Special::store_register, move_register<true>),
  special(Special::load_register, move_register<false>),
  micro(MicroOpKind::sdwa, sdwa<Source::row>, nullptr, u8(Source::row)),
};
// clang-format on

} // namespace gpuexec::emulator::amdgpu::baseline
