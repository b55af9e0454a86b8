//===-- disassembly/exports.cpp - For gpuexec-info ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The emulator's library exports its disassembler by this symbol (llvm.h).
//===----------------------------------------------------------------------===//
#include "disassembly/llvm.h"

extern "C" __attribute__((visibility("default")))
const gpuexec::disassembly::Exports gpuexec_emulator_disassembly = {
    GPUEXEC_DISASSEMBLY_LAYOUT, &gpuexec::disassembly::make_amdgpu};
