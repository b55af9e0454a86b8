//===-- emulator/amdgpu/decode/uses.cpp - Which operands there are --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/amdgpu/decode/uses.h"

namespace gpuexec::emulator::amdgpu {
namespace {

struct Area {
  u64 begin, size;
  u32 unit; // bytes from a register to the next
  constexpr bool holds(u64 offset, unsigned registers) const {
    return offset >= begin && (offset - begin) % unit == 0 &&
           offset - begin < size &&
           registers <= (size - (offset - begin)) / unit;
  }
};
constexpr u32 ROW_BYTES = LANES * 4;
constexpr unsigned FILE_ROWS = 256;
constexpr Area VGPRS = {offsetof(State, v), FILE_ROWS *ROW_BYTES, ROW_BYTES};
constexpr Area AGPRS = {offsetof(State, v) + FILE_ROWS * ROW_BYTES,
                        FILE_ROWS *ROW_BYTES, ROW_BYTES};
constexpr Area TEMPORARIES = {offsetof(State, temp), sizeof(State::temp),
                              ROW_BYTES};
static_assert(sizeof(State::v) == 2 * FILE_ROWS * ROW_BYTES);

constexpr Area scalars(unsigned first, unsigned last) {
  return {offsetof(State, s) + first * 4, (last - first + 1) * 4, 4};
}
// "Vega" ISA, section 3.5 and the table of scalar operands: an operand of
// several registers may not reach from one kind into the next. 125 is no
// register.
constexpr Area SCALAR_AREAS[] = {
    scalars(0, 101),
    scalars(FLAT_SCRATCH, FLAT_SCRATCH + 1),
    scalars(XNACK_MASK, XNACK_MASK + 1),
    scalars(VCC, VCC + 1),
    scalars(TTMP0, TTMP0 + 15),
    scalars(M0, M0),
    scalars(EXEC, EXEC + 1),
};
// RDNA's guides, section "SGPRs": every wave has s0 to s105, and none of them
// has another purpose.
constexpr Area PLAIN_SCALARS = scalars(0, 105);
// Values of 64 bits, read as one or two registers.
constexpr Area SLOTS = {offsetof(State, slots), sizeof(State::slots), 8};
constexpr Area CONSTANTS = {offsetof(State, constants),
                            sizeof(State::constants), 8};

bool vector_exists(u64 offset, unsigned registers, bool aligned) {
  if (TEMPORARIES.holds(offset, registers))
    return true;
  if (!VGPRS.holds(offset, registers) && !AGPRS.holds(offset, registers))
    return false;
  return !aligned || registers == 1 ||
         (offset - VGPRS.begin) / ROW_BYTES % 2 == 0;
}

bool scalar_exists(u64 offset, unsigned registers, RegisterRules rules) {
  if (rules.plain_scalars && PLAIN_SCALARS.holds(offset, registers))
    return true;
  for (const Area &area : SCALAR_AREAS)
    if (area.holds(offset, registers))
      return true;
  return registers <= 2 && SLOTS.holds(offset, 1);
}

bool exists(Operand operand, Use use, RegisterRules rules) {
  if (use.file == File::none || (use.optional && operand == 0))
    return true;
  if (operand == LITERAL)
    return (use.file == File::value || use.file == File::any) && !use.written &&
           use.registers <= 2;
  if (operand < 0 || use.registers == 0)
    return false;
  if (operand & ROW)
    return (use.file == File::vector || use.file == File::any) &&
           vector_exists(u64(operand & ~ROW), use.registers, rules.aligned);
  if (use.file == File::vector)
    return false;
  if (scalar_exists(u64(operand), use.registers, rules))
    return true;
  return use.file != File::scalar && !use.written && use.registers <= 2 &&
         CONSTANTS.holds(u64(operand), 1);
}

template <typename F> bool all_of(const MicroOp &op, F f) {
  const Uses &uses = op.uses;
  for (unsigned k = 0; k < 3; ++k)
    if (!f(op.src[k], uses.src[k]))
      return false;
  return f(op.dst, uses.dst) && f(op.sdst, uses.sdst) &&
         f(op.scond, uses.scond);
}

} // namespace

bool operands_exist(const MicroOp &op, RegisterRules rules) {
  return all_of(op, [&](Operand operand, Use use) {
    return exists(operand, use, rules);
  });
}

bool writes_exec(const MicroOp &op) {
  return !all_of(op, [](Operand operand, Use use) {
    constexpr Operand begin = scalar_operand(EXEC), end = begin + 8;
    return !use.written || use.file == File::none || operand & ROW ||
           operand >= end || operand + Operand(use.registers * 4) <= begin;
  });
}

u32 room_above(Operand operand, Use use) {
  u64 offset = u64(operand & ~ROW);
  for (const Area &area : {VGPRS, AGPRS})
    if (area.holds(offset, use.registers))
      return u32((area.begin + area.size - offset) / ROW_BYTES) - use.registers;
  return 0;
}

} // namespace gpuexec::emulator::amdgpu
