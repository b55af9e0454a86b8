//===-- emulator/ptx/host/bfloat.h - Roundings to bfloat -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_HOST_BFLOAT_H
#define GPUEXEC_EMULATOR_PTX_HOST_BFLOAT_H

#include "llvm/IR/Module.h"

namespace gpuexec::ptx::host {

/// Rounds floats to bfloats by integer operations: processors that can do it
/// take subnormal numbers for zeros, and for others LLVM calls a function that
/// is not there.
void expand_bfloat_roundings(llvm::Module &module);

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_HOST_BFLOAT_H
