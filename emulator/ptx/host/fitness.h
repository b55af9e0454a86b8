//===-- emulator/ptx/host/fitness.h - Fit for the host or not --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_HOST_FITNESS_H
#define GPUEXEC_EMULATOR_PTX_HOST_FITNESS_H

#include "llvm/IR/Function.h"
#include <string>

namespace gpuexec::ptx::host {

/// Why a kernel, into which all functions are inlined, cannot run as regions,
/// one lane after the other; "" if it can.
std::string why_unfit(llvm::Function &kernel);

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_HOST_FITNESS_H
