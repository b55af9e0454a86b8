//===-- emulator/ptx/lower/registers.h - %tid and others -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_PTX_LOWER_REGISTERS_H
#define GPUEXEC_EMULATOR_PTX_LOWER_REGISTERS_H

#include "emulator/ptx/lower/emitter.h"

namespace gpuexec::ptx {

/// The value of a special register; null if the name is none. Numbers of
/// threads and blocks come from the hidden arguments of code objects since
/// version 5: who launches a kernel writes hidden_block_count_* and
/// hidden_group_size_*.
llvm::Value *special_register(Emitter &emitter, const Operand &operand);

} // namespace gpuexec::ptx

#endif // GPUEXEC_EMULATOR_PTX_LOWER_REGISTERS_H
