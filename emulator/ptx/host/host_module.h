//===-- emulator/ptx/host/host_module.h - A module for the host -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_HOST_HOST_MODULE_H
#define GPUEXEC_EMULATOR_PTX_HOST_HOST_MODULE_H

#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

namespace gpuexec::ptx::host {

/// Makes regions of the kernels of a lowered module, into which the device
/// library is linked, and their table (abi.h), the only symbol that is left.
/// Kernels that are not fit are in the table alone. The result is not
/// optimised.
void make_host_module(llvm::Module &module, llvm::TargetMachine &machine);

} // namespace gpuexec::ptx::host

#endif // GPUEXEC_EMULATOR_PTX_HOST_HOST_MODULE_H
