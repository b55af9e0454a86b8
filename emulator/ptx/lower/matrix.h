//===-- emulator/ptx/lower/matrix.h - What mma and wmma share --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_MATRIX_H
#define GPUEXEC_EMULATOR_PTX_LOWER_MATRIX_H

#include "emulator/ptx/lower/emitter.h"

namespace gpuexec::ptx {

/// m, n, k of "m16n8k16"; zeros without such a modifier.
struct Shape {
  unsigned m = 0, n = 0, k = 0;
};
Shape shape_of(const Instruction &i);

/// How the device library's functions for a type of a and b are called, and
/// the bits of the type.
struct Kind {
  const char *name;
  unsigned bits;
};
std::optional<Kind> kind_of(const Instruction &i, Type type);
/// Which of a and b (bits 0 and 1) is signed, or is e5m2.
unsigned variants(const Instruction &i);

/// The registers of a list, or the one operand.
llvm::ArrayRef<Operand> parts_of(const Operand &operand);
/// A vector of `count` elements from registers read as `type`; zeros beyond.
llvm::Value *gather(Emitter &e, llvm::ArrayRef<Operand> registers, Type type,
                    unsigned count);
/// `count` floats from registers of floats, or of pairs of halves.
llvm::Value *gather_floats(Emitter &e, llvm::ArrayRef<Operand> registers,
                           bool halves, unsigned count);
/// Writes a vector of floats into registers of floats, or of pairs of halves.
void scatter_floats(Emitter &e, llvm::ArrayRef<Operand> registers,
                    llvm::Value *vector, bool halves);
/// Writes the first elements of a vector into registers.
void scatter(Emitter &e, llvm::ArrayRef<Operand> registers, llvm::Value *vector,
             Type type);

/// The address of an operand in shared memory as i32.
llvm::Value *shared_address(Emitter &e, const Instruction &i,
                            const Operand &operand);

/// mbarrier, and cp.async.mbarrier.arrive.
void lower_mbarrier(Emitter &e, const Instruction &i);
void lower_copy_arrival(Emitter &e, const Instruction &i);

/// wmma.load, wmma.store and wmma.mma.
void lower_wmma(Emitter &e, const Instruction &i);

} // namespace gpuexec::ptx

#endif
