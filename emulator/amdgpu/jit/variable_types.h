//===-- emulator/amdgpu/jit/variable_types.h - Variables of floats -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of a local variable's type that leave what the code computes as it
// is. All users of the variable are loads and stores of integers of 64 bits, or
// of the halves, the second one through one getelementptr.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_VARIABLE_TYPES_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_VARIABLE_TYPES_H

namespace llvm {
class AllocaInst;
class Type;
class Value;
} // namespace llvm

namespace gpuexec::emulator::amdgpu::jit {

/// Accesses of a half of the variable, which has 64 bits, become accesses of
/// the whole.
void widen(llvm::AllocaInst &pair);

/// Accesses of an integer at `variable` become accesses of a float of the same
/// size, `type`. A load from memory whose only use is a store to the variable
/// gets that type, and so does a store to memory of what the variable holds.
void make_float(llvm::Value &variable, llvm::Type *type);

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_VARIABLE_TYPES_H
