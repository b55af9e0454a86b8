//===-- emulator/amdgpu/decode/uses.h - Which registers an operand names --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handler trusts its operands' offsets: it checks none of them while code
// runs. Every micro-op says as a value which registers its handler touches and
// how many of them. The decoder refuses an instruction one of whose operands is
// not wholly inside State's register areas (operands_exist).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_USES_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_USES_H

#include "emulator/amdgpu/decode/state.h"

namespace gpuexec::emulator::amdgpu {

enum class File : u8 {
  none,   // no register: unused, or a number
  vector, // rows of lanes: v0-v255, a0-a255, temporaries
  scalar, // scalar registers, lane masks among them
  value,  // scalars, an inline constant or the literal
  any,    // rows or a value
};

/// How a handler uses one operand of its Inst.
struct Use {
  File file = File::none;
  u8 registers = 0;      // of 32 bits, one after the other
  bool written = false;  // and perhaps read as well
  bool optional = false; // may be 0: then there is no such operand

  constexpr Use optionally() const {
    Use use = *this;
    use.optional = true;
    return use;
  }
};
constexpr Use reads(File file, unsigned registers) {
  return {file, u8(registers), false, false};
}
constexpr Use writes(File file, unsigned registers) {
  return {file, u8(registers), true, false};
}

struct Uses {
  Use dst, src[3], sdst, scond;
};
constexpr Uses from_to(Use src, Use dst) {
  Uses uses;
  uses.src[0] = src;
  uses.dst = dst;
  return uses;
}

/// A micro-op while its block is being decoded.
struct MicroOp : Inst {
  Uses uses;
  bool notices_exec = false; // calls State::exec_changed when it writes EXEC
};

/// Which registers the operands of a processor may name.
struct RegisterRules {
  bool aligned = false; ///< tuples of vector registers begin at an even number
  bool plain_scalars = false; ///< s102 to s105 are registers like those below
};

/// True if all registers of all operands of `op` exist.
bool operands_exist(const MicroOp &op, RegisterRules rules);

/// True if the micro-op writes EXEC or a half of it as an ordinary operand.
bool writes_exec(const MicroOp &op);

/// How far the vector operand can be moved up without leaving its file, v0-v255
/// or a0-a255, with any of its registers.
u32 room_above(Operand operand, Use use);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_USES_H
