//===-- emulator/ptx/lower/arithmetic.h - The halves of arithmetic -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_ARITHMETIC_H
#define GPUEXEC_EMULATOR_PTX_LOWER_ARITHMETIC_H

#include "emulator/ptx/lower/emitter.h"

namespace gpuexec::ptx {

/// One row for each opcode of a family.
struct ArithmeticRow {
  const char *opcode;
  size_t operands; ///< the fewest, with the result
  void (*emit)(Emitter &, const Instruction &);
};

/// The rows for integers and for floating-point numbers (types f16 to f64).
llvm::ArrayRef<ArithmeticRow> integer_arithmetic();
llvm::ArrayRef<ArithmeticRow> floating_arithmetic();

} // namespace gpuexec::ptx

#endif
