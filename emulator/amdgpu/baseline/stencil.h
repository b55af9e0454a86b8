//===-- emulator/amdgpu/baseline/stencil.h - Pieces of machine code -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A stencil is the machine code of one micro-op, with holes where its operands
// belong: for a wave whose only active lane is lane 0, or for a wave of many
// lanes; there it calls a routine that works on all lanes. Clang makes it from
// the functions of ops/ (stencils.cpp), a tool takes it out of the object file
// at build time (extract.cpp), and the baseline compiler copies it and fills
// the holes ("copy and patch").
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_BASELINE_STENCIL_H
#define GPUEXEC_EMULATOR_AMDGPU_BASELINE_STENCIL_H

#include "emulator/amdgpu/decode/inst.h"

namespace gpuexec::emulator::amdgpu::baseline {

/// Where a source operand is. A constant of State is a scalar.
enum class Source : u8 { row, scalar, literal };

/// The active lanes that a stencil is for.
enum class Lanes : u8 {
  first, // lane 0 or none, in a wave that began with lane 0 alone; what needs
         // no lanes has only this one
  any,   // whatever EXEC says, in other waves
};

/// Stencils that belong to no single micro-op.
enum class Special : u8 {
  none,
  entry,       // checks what the code takes for granted
  zero_mask,   // what a comparison writes while no lane is on
  leave,       // goes to a handler of the interpreter
  dispatch,    // goes to the handler for State::shape
  branch,      // where a conditional branch goes
  late_branch, // like branch, while Inst::target is unknown
  passed,      // counts how often control comes by
  // Of decode/whole_registers.h.
  save_exec,     // a pair
  save_exec_low, // one register, in a wave of 32 lanes
  store_register,
  load_register,
  store_register_by_buffer,
  load_register_by_buffer,
  go,          // where a branch goes that stays in compiled code
  by_shape,    // to handlers of the interpreter, in a wave of many lanes
  call,        // of a routine (interpret/routines.h)
  call_memory, // like call; the interpreter may have to take over
  put_literal, // where a routine reads it as a scalar
};

/// Which micro-op a stencil is for. All of it must agree.
struct Key {
  u16 operation = 0; // OperationId, of MicroOpKind::operation
  u8 kind = 0;       // MicroOpKind
  u8 variant = 0;    // Variant
  u8 source[3] =
      {};          // Source; of memory: src[0] and src[1], 1 when there is one
  u8 modified = 0; // floats with signs changed
  u8 special = 0;  // Special
  u8 lanes = 0;    // Lanes
  auto operator<=>(const Key &) const = default;
};

/// What a hole is filled with.
enum class Hole : u8 {
  // Numbers. The first ones are offsets in State; of a row: of lane 0's
  // element.
  dst,
  src0,
  src1,
  src2,
  sdst,
  scond,
  cache,  // State::InlineCache
  offset, // of an address
  length,
  cache_number,
  executions, // of a basic block: offset in State::executions
  room,       // where an access of this size still ends in its cache line
  // Places in the code, for jumps.
  next,     // the next micro-op
  cold,     // the stencil's cold part
  again,    // back from there to its begin
  taken,    // where a branch goes
  now_on,   // the next micro-op, with the lane on
  now_off,  // and with the lane off
  dispatch, // the next micro-op by State::shape, in the interpreter
  leave,    // the interpreter's handler of this micro-op
  // Values of 64 bits in the pool behind the code.
  imm,
  keep0, // signs of sources: (x & keep) ^ flip
  keep1,
  keep2,
  flip0,
  flip1,
  flip2,
  inst,
  handler,
  target,
  target_handler,
  epoch,
  passes, // where control is counted
  // What the stencil brings: constants, and functions of the emulator.
  constant,
  function,
};

/// Functions of the emulator that stencils call.
enum class Function : u8 { fill, forget, find };

/// Four bytes of a stencil that depend on the micro-op.
struct Patch {
  u32 at; // offset in the stencil
  Hole hole;
  u8 relative = 0;      // to these bytes' place
  u8 zero_extended = 0; // a number that must not be negative
  u8 function = 0;      // Function
  i32 addend = 0;       // for constants: with the offset in STENCIL_CONSTANTS
};

struct Piece {
  u32 code, size;     // in STENCIL_CODE
  u32 patches, count; // in STENCIL_PATCHES
};
struct Stencil {
  Key key;
  Piece hot, cold; // cold.size == 0: there is none
};

/// A row of the table in stencils.cpp's object.
struct Row {
  Key key;
  Handler code, cold;
};

} // namespace gpuexec::emulator::amdgpu::baseline

#endif // GPUEXEC_EMULATOR_AMDGPU_BASELINE_STENCIL_H
