//===-- emulator/ptx/lower/forms.h - What instructions share ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modifiers that many instructions have (.rz, .ftz, .sat), and operations on
// values whose type is a scalar or a vector of two.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_FORMS_H
#define GPUEXEC_EMULATOR_PTX_LOWER_FORMS_H

#include "emulator/ptx/lower/emitter.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpuexec::ptx {

/// How a result that does not fit is rounded. The device library's functions
/// (emulator/ptx/device/rounding.c) take these numbers.
enum Rounding { TO_NEAREST, TO_ZERO, DOWN, UP, TIES_AWAY };

/// By .rn, .rz, .rm, .rp, .rna; TO_NEAREST without one.
Rounding rounding_of(const Instruction &i);

/// `value` (a pair of 16-bit integers as i32) as a vector; others as they are.
llvm::Value *as_pair(Emitter &e, llvm::Value *value, Type type);

/// `value` with subnormal numbers replaced by zeros of their sign (.ftz).
llvm::Value *flush_subnormals(Emitter &e, llvm::Value *value);
/// Flushes if the instruction has .ftz; f64 never is.
llvm::Value *flush_if_asked(Emitter &e, const Instruction &i,
                            llvm::Value *value);
/// `value` clamped to [+0, 1]; NaN becomes +0 (.sat).
llvm::Value *clamp_to_one(Emitter &e, llvm::Value *value);
/// `value`, or NVIDIA's canonical NaN if it is one (not for double).
llvm::Value *canonical_nan(Emitter &e, llvm::Value *value);

/// A bfloat or a pair of them as float; others as they are.
llvm::Value *widen_bfloat(Emitter &e, llvm::Value *value);
/// Back to `type` if that differs: rounds to nearest.
llvm::Value *narrow_bfloat(Emitter &e, llvm::Value *value, llvm::Type *type);

/// Calls `make` with the operands' elements if they are vectors, and builds the
/// vector of the results; calls it once for scalars.
llvm::Value *each_element(
    Emitter &e, llvm::ArrayRef<llvm::Value *> operands,
    llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> make);

/// "f32" and so on, in the names of the device library's functions.
llvm::StringRef suffix_of(llvm::Type *type);

/// The number of the lane in its warp.
llvm::Value *lane_id(Emitter &e);
/// The active lanes in which `condition` (i1) holds, as i32.
llvm::Value *ballot(Emitter &e, llvm::Value *condition);

} // namespace gpuexec::ptx

#endif
