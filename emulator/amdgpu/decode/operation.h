//===-- emulator/amdgpu/decode/operation.h - What each instruction is -----===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of instructions. A row says what everybody needs to know of an
// instruction: the decoder how its operands are arranged, the JIT what to
// generate, --check=uninit and statistics what it touches. The rows come from
// ops/*.def and from the types of the functions in ops/. The handlers that
// execute a row are in another table, one per x86-64 level
// (interpret/level.h).
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_DECODE_OPERATION_H
#define GPUEXEC_EMULATOR_AMDGPU_DECODE_OPERATION_H

#include "emulator/amdgpu/decode/uses.h"
#include "emulator/machine/statistics.h"

namespace gpuexec::emulator::amdgpu {

/// How an instruction's operands are arranged, and what kind of function it is.
enum class Form : u8 {
  none,
  valu,
  vcmp,
  packed,   // VOP3P on two halves
  packed32, // VOP3P on the two registers of a pair
  mix,      // VOP3P on halves or floats, as op_sel_hi says
  salu,
  saveexec,
  memory,
  scalar_load,
  special,
  nothing, // no effect but on the order of memory
  fence,   // orders all memory
};

/// How an operand or a result is read and written.
enum class Type : u8 { none, u8, u16, f16, u32, f32, u64, f64, p16 };
constexpr unsigned registers_of(Type type) {
  return type == Type::none                       ? 0
         : type == Type::u64 || type == Type::f64 ? 2
                                                  : 1;
}
constexpr bool is_float(Type type) {
  return type == Type::f16 || type == Type::f32 || type == Type::f64;
}
constexpr bool is_half(Type type) {
  return type == Type::u16 || type == Type::f16;
}

/// The Type of a parameter or result of a function in ops/.
template <typename T> inline constexpr Type TYPE = Type::none;
template <> inline constexpr Type TYPE<u8> = Type::u8;
template <> inline constexpr Type TYPE<u16> = Type::u16;
template <> inline constexpr Type TYPE<i16> = Type::u16;
template <> inline constexpr Type TYPE<ops::F16> = Type::f16;
template <> inline constexpr Type TYPE<u32> = Type::u32;
template <> inline constexpr Type TYPE<i32> = Type::u32;
template <> inline constexpr Type TYPE<float> = Type::f32;
template <> inline constexpr Type TYPE<u64> = Type::u64;
template <> inline constexpr Type TYPE<i64> = Type::u64;
template <> inline constexpr Type TYPE<double> = Type::f64;
template <> inline constexpr Type TYPE<ops::P16> = Type::p16;
template <> inline constexpr Type TYPE<ops::F32x2> = Type::u64;

/// Whether results are the same as hardware's, bit for bit, and if not, why.
enum class Fidelity : u8 {
  none,
  exact,       // as AMD's guide defines them, or IEEE 754
  accuracy,    // the guide gives a bound of the error, and ours is lower
  no_accuracy, // the guide gives none
  order,       // the guide leaves the order or the rounding of sums open
  denormals,   // memory flushes them or does not; here it does not
  clock,       // clocks are the host's
};

/// What the matrices of v_mfma_* and v_smfmac_* consist of. xf32: an f32
/// without the lower 13 bits of its fraction.
enum class MatrixElement : u8 { none, f32, xf32, f16, bf16, f64, i8, fp8, bf8 };
constexpr unsigned bits_of(MatrixElement element) {
  return element == MatrixElement::f64                                     ? 64
         : element == MatrixElement::f32 || element == MatrixElement::xf32 ? 32
         : element == MatrixElement::f16 || element == MatrixElement::bf16 ? 16
                                                                           : 8;
}

/// `blocks` products of an A with m rows and k columns and a B with k rows and
/// m columns.
struct MatrixShape {
  MatrixElement a = MatrixElement::none, b = MatrixElement::none;
  u8 m = 0, k = 0, blocks = 0;
  /// Of four neighbours in a row of A, two are zero and not in registers.
  bool sparse = false;
  constexpr unsigned elements_of_b() const { return m * k * blocks / 64; }
  constexpr unsigned elements_of_a() const {
    return elements_of_b() / (sparse ? 2 : 1);
  }
  constexpr unsigned registers_of_a() const {
    return elements_of_a() * bits_of(a) / 32;
  }
  constexpr unsigned registers_of_b() const {
    return elements_of_b() * bits_of(b) / 32;
  }
  constexpr unsigned registers_of_result() const {
    return m * m * blocks / 64 * (a == MatrixElement::f64 ? 2 : 1);
  }
};

/// Which half of a register is written, the other being left as it was; of a
/// store: which half is read.
enum class Half : u8 { none, low, high };

/// How control leaves an instruction.
enum class Terminator : u8 {
  none,        // to the next instruction
  branch,      // to a target in the instruction
  conditional, // there or to the next instruction, as Condition says
  call,
  indirect_branch, // to a target in registers
  indirect_call,
  end, // of the program
};
/// True if control never goes to the next instruction.
constexpr bool ends_block(Terminator terminator) {
  return terminator != Terminator::none &&
         terminator != Terminator::conditional;
}
/// True if the instruction's immediate is the distance to its target.
constexpr bool is_direct(Terminator terminator) {
  return terminator == Terminator::branch ||
         terminator == Terminator::conditional ||
         terminator == Terminator::call;
}
enum class Condition : u8 {
  none,
  scc0,
  scc1,
  vccz,
  vccnz,
  vccz_low, // of a wave of 32 lanes
  vccnz_low,
  execz,
  execnz
};

/// What an instruction means for the order of the wave's memory accesses
/// (LLVM's AMDGPU guide, "Memory Model").
enum class Order : u8 {
  none,
  transparent,     // as if it were not there
  wait,            // s_waitcnt: the immediate says what it waits for
  wait_for_stores, // the immediate: how many stores may still be under way
  write_back,      // of caches: a release
  invalidate,      // of caches: an acquire
  invalidate_one,  // of one cache; an acquire has two of these in a row
};

enum class Space : u8 {
  none,
  global,
  flat,
  scratch,
  lds,
  buffer,
  scalar,
  scalar_buffer // the base is a buffer's descriptor
};
enum class Access : u8 { none, load, store, atomic, load_two, store_two };
constexpr bool is_load(Access access) {
  return access == Access::load || access == Access::load_two;
}
enum class AtomicOperation : u8 {
#define ATOMIC_OPERATION(name, unsigned_ir, signed_ir, undefined) name,
#include "emulator/amdgpu/ops/atomic.def"
};
constexpr bool compares(AtomicOperation operation) {
  return operation == AtomicOperation::compare_swap ||
         operation == AtomicOperation::float_compare_swap;
}

struct MemoryAccess {
  Space space = Space::none;
  Access access = Access::none;
  AtomicOperation atomic = AtomicOperation::swap; // of Access::atomic
  bool is_signed = false; // loads: sign-extended; atomics: compares as signed
  u8 bytes = 0;           // of memory, per lane and access
  u16 unit = 1;           // load_two, store_two: bytes that an offset counts
};

/// A row of the table.
struct Operation {
  const char *name = ""; // LLVM's, lower case, without the encoding's suffixes
  OperationId id = OperationId::none;
  Form form = Form::none;
  InstructionClass instruction_class = InstructionClass::other;
  Fidelity fidelity = Fidelity::none;
  Terminator terminator = Terminator::none;
  Condition branches_on = Condition::none;
  Order order = Order::none;
  MemoryAccess memory;
  MatrixShape matrix; // v_mfma_*, v_smfmac_*
  Half half = Half::none;
  u8 sources = 0;      // if `tied`, the last one is the old destination
  Type source[3] = {}; // saveexec: EXEC is the second one
  Type result = Type::none;
  bool tied = false;
  bool condition = false; // reads a lane mask
  bool writes_mask = false;
  bool writes_scc = false;
  bool float_pair = false;  // the result is two floats in a pair of registers
  bool float_parts = false; // packed: halves or registers are floats
  bool keep_high = false;  // leaves the other half of a 16-bit result as it was
  bool saturates = false;  // has a function for the integer clamp bit
  bool saves_exec = false; // saveexec: the destination gets the old EXEC
  Uses uses;               // which operands its handlers use
};

/// The row of an instruction; of OperationId::none, an empty one.
const Operation &operation(OperationId id);
inline const Operation &operation(const Inst &inst) {
  return operation(inst.operation);
}

/// The name of the operation, or that of the micro-op's kind if the micro-op is
/// not the operation itself.
const char *name_of(const Inst &inst);

/// The operation of that name, or null.
const Operation *find_operation(llvm::StringRef name);

} // namespace gpuexec::emulator::amdgpu

#endif // GPUEXEC_EMULATOR_AMDGPU_DECODE_OPERATION_H
