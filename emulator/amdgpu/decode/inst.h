//===-- emulator/amdgpu/decode/inst.h - A decoded instruction ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What decoding makes of an instruction: one micro-op, or several where an
// encoding does more than the operation (SDWA, DPP, clamp). A micro-op says by
// value what it is (`kind`, `operation`, `variant`) and by offsets in State
// where its operands are. The interpreter adds the handlers that execute it;
// the JIT, --check=uninit and statistics read the values.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_INST_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_INST_H

#include "emulator/amdgpu/decode/operation_id.h"
#include "emulator/amdgpu/ops/types.h"

#include <atomic>
#include <cstdint>

namespace gpuexec::emulator::amdgpu {

using ops::i16;
using ops::i32;
using ops::i64;
using ops::i8;
using ops::u16;
using ops::u32;
using ops::u64;
using ops::u8;

struct State;
struct Inst;
using Handler = void (*)(State &, const Inst *);

/// How many lanes are on in EXEC: all 64, one, no lane, or another number
/// (SOME). A micro-op has a handler for each shape.
enum Shape : u32 { FULL, ONE, SOME, NONE, SHAPES };

/// Modifier bits of Inst::mods, by source k.
enum Mods : u32 {
  MOD_CLAMP = 1u << 24,
  MOD_OMOD_SHIFT = 25,     // two bits
  MOD_DST_HIGH = 1u << 27, // op_sel names the high half of the destination
};
/// Four bits per source: VOP3 and SDWA: neg, abs; VOP3P: neg_lo, neg_hi; then
/// op_sel and op_sel_hi.
constexpr u32 mod_neg(unsigned k) { return 1u << (4 * k); }
constexpr u32 mod_abs(unsigned k) { return 2u << (4 * k); }
constexpr u32 mod_opsel(unsigned k) { return 4u << (4 * k); }
constexpr u32 mod_opsel_hi(unsigned k) { return 8u << (4 * k); }

/// Inst::mods of buffer instructions: which rows the address has, and whose
/// rules hold: those of gfx9, or of gfx10, or of gfx11 and later.
enum : u32 {
  BUFFER_OFFEN = 1,
  BUFFER_IDXEN = 2,
  BUFFER_GFX10 = 4,
  BUFFER_GFX11 = 8
};

/// Inst::mods of a micro-op `count`: its basic block ends with an instruction
/// that writes EXEC, and count_divergence follows.
enum : u32 { COUNT_KEEPS_EXEC = 1 };

/// Inst::imm of matrix instructions: cbsz in bits 2:0, abid in 11:8, blgp in
/// 18:16, and this bit: denormals become zero. In sparse ones, imm is the first
/// bit of the indices in their register.
inline constexpr u64 MATRIX_FLUSHES = u64(1) << 24;

/// Offset of an operand in State; bit 0 marks a row of lanes.
using Operand = i32;
inline constexpr Operand LITERAL = INT32_MIN; // Inst::imm
inline constexpr Operand ROW = 1;
/// Stands for an operand that is no register of a wave. The decoder refuses
/// the instruction, so no handler meets it.
inline constexpr Operand NOWHERE = INT32_MIN + 4;

/// The micro-ops that belong to no instruction of the table;
/// interpret/control.h and interpret/micro_ops.h say what each does with the
/// fields of Inst.
#define GPUEXEC_MICRO_OPS(X)                                                   \
  X(sdwa)                                                                      \
  X(sdwa_merge)                                                                \
  X(dpp)                                                                       \
  X(masked_copy)                                                               \
  X(modify)                                                                    \
  X(upper_half)                                                                \
  X(insert_half)                                                               \
  X(finish)                                                                    \
  X(copy_scalar)                                                               \
  X(set_exec)                                                                  \
  X(indexed)                                                                   \
  X(link)                                                                      \
  X(unsupported)                                                               \
  X(illegal)                                                                   \
  X(leave_code)                                                                \
  X(count)                                                                     \
  X(count_access)                                                              \
  X(count_divergence)                                                          \
  X(note)                                                                      \
  X(skip)                                                                      \
  X(preempt)                                                                   \
  X(fence)

enum class MicroOpKind : u8 {
  operation, // Inst::operation, in the given variant
  check,     // --check=uninit; brings its own handler
#define GPUEXEC_ENUMERATOR(name) name,
  GPUEXEC_MICRO_OPS(GPUEXEC_ENUMERATOR)
#undef GPUEXEC_ENUMERATOR
      COUNT
};

/// Which of an operation's functions is meant.
enum class Variant : u8 {
  plain,
  saturating,  // the integer clamp bit is set
  writes_exec, // SALU whose destination is EXEC or a half of it
};

/// A micro-op. Constant once published, but for `target` and for handlers that
/// the JIT replaces.
struct Inst {
  Handler fn[SHAPES] = {};
  Operand dst = 0;
  Operand src[3] = {0, 0, 0};
  Operand sdst = 0;  // lane mask written
  Operand scond = 0; // lane mask read
  u32 mods = 0;
  u32 pc = 0;  // offset of the instruction in its code
  u64 imm = 0; // literal, or a memory offset
  mutable std::atomic<const Inst *> target{nullptr}; // of a direct branch
  const void *data = nullptr; // see the handler of the micro-op
  u32 length = 0; // instructions of the block up to and including this one
  // Says what the micro-op is. Of the handlers, only count_access reads these.
  OperationId operation = OperationId::none; // its instruction's
  MicroOpKind kind = MicroOpKind::operation;
  Variant variant = Variant::plain;

  Inst() = default;
  Inst(const Inst &o) { *this = o; }
  Inst &operator=(const Inst &o) { // before it is published
    __builtin_memcpy(static_cast<void *>(this), &o, sizeof(Inst));
    return *this;
  }
};
static_assert(sizeof(Inst) == 96, "the interpreter walks through arrays of it");

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_INST_H
