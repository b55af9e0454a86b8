//===-- toolchain/gpucc/host_machine.h - The host as a Machine --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_GPUCC_HOST_MACHINE_H
#define GPUEXEC_GPUCC_HOST_MACHINE_H

#include "toolchain/gpucc/machine.h"
#include <memory>

namespace gpuexec {

/// The machine that gpucc runs on.
std::unique_ptr<Machine> host_machine();

} // namespace gpuexec

#endif
