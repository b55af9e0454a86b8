//===-- emulator/ptx/lower/emitter.h - A function as LLVM IR ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every PTX register is a variable on the stack of LLVM's function (an alloca
// of iN, which optimisation removes); floating-point values are kept as bits.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_EMITTER_H
#define GPUEXEC_EMULATOR_PTX_LOWER_EMITTER_H

#include "emulator/ptx/parse/syntax.h"
#include "llvm/IR/IRBuilder.h"

namespace gpuexec::ptx {

struct FunctionState; // function_state.h: registers, scopes, labels

/// What the families of instructions see of the function that is emitted.
/// A family's function emits `i` and returns true, or returns false if `i` is
/// none of its own. It says fail() where a form is not known, and returns true.
class Emitter {
public:
  Emitter(llvm::Module &module, FunctionState &state);

  llvm::IRBuilder<> ir;
  llvm::Module &module;
  FunctionState &state;

  /// LLVM's type of a PTX type's value: i8 to i64, i128, half, <2 x half>,
  /// bfloat, <2 x bfloat>, float, double, i1 for pred. b32 and f32x2 and the
  /// like that arithmetic does not know are iN.
  llvm::Type *type(Type type);

  /// The value of an operand as `type(t)`: a register's bits, truncated or zero
  /// extended when its width differs, and bitcast; an immediate; an address of
  /// a variable; a special register.
  llvm::Value *read(const Operand &operand, Type t);
  /// Stores into a register (bits; a narrower value is extended: by its sign if
  /// `t` is signed). A sink takes anything.
  void write(const Operand &operand, llvm::Value *value, Type t);
  /// A pointer for an address operand in the LLVM address space of `space`
  /// (generic 0, global 1, shared 3, constant 4, local 5).
  llvm::Value *address(const Operand &operand, Space space);

  /// Calls a function of the device library (emulator/ptx/device/), which is
  /// linked in afterwards, or of the module; declares it when needed.
  llvm::Value *call(llvm::StringRef name, llvm::Type *result,
                    llvm::ArrayRef<llvm::Value *> arguments,
                    bool convergent = false);
  /// An intrinsic of LLVM.
  llvm::Value *intrinsic(llvm::Intrinsic::ID id,
                         llvm::ArrayRef<llvm::Type *> types,
                         llvm::ArrayRef<llvm::Value *> arguments);

  /// The instruction cannot be lowered: "NAME:LINE: form: reason".
  void fail(const Instruction &i, const llvm::Twine &reason);
};

bool lower_arithmetic(Emitter &emitter, const Instruction &i);
bool lower_conversion(Emitter &emitter, const Instruction &i);
/// setp, set, selp, slct, testp.
bool lower_comparison(Emitter &emitter, const Instruction &i);
/// and, or, xor, not, lop3, shl, shr, shf, bfe, bfi, prmt and others.
bool lower_bits(Emitter &emitter, const Instruction &i);
/// shfl, vote, match, activemask, redux, bar, barrier, membar, fence.
bool lower_warp(Emitter &emitter, const Instruction &i);
bool lower_atomics(Emitter &emitter, const Instruction &i); ///< atom, red
bool lower_matrix(Emitter &emitter, const Instruction &i);
/// vadd4, vabsdiff2 and so on.
bool lower_video(Emitter &emitter, const Instruction &i);
/// tex, tld4, txq, suld, sust, sured, suq.
bool lower_texture(Emitter &emitter, const Instruction &i);
/// ld, st, ldu, prefetch, mov, cvta, isspacep.
bool lower_memory(Emitter &emitter, const Instruction &i);
/// call, ret, exit, bra, brx, trap, brkpt, nanosleep.
bool lower_control(Emitter &emitter, const Instruction &i);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_EMITTER_H
