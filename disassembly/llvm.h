//===-- disassembly/llvm.h - The disassembler itself ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's tables of AMD's instructions have 10 MB. They are installed once, in
// the emulator's library, which cannot do without them at any start;
// gpuexec-info opens it when it needs them (borrowed.cpp). All else has them
// inside (inside.cpp).
//===----------------------------------------------------------------------===//
#pragma once

#include "disassembly/amdgpu.h"

namespace gpuexec::disassembly {

/// AmdgpuDisassembler::create(), with the message of its error in `error`:
/// LLVM's errors are not for another copy of LLVM.
std::unique_ptr<AmdgpuDisassembler>
make_amdgpu(llvm::StringRef cpu, llvm::StringRef features, std::string &error);

/// The emulator's library, as seen from the folder of a program, and its symbol
/// for this: an Exports.
inline constexpr const char *LIBRARY = "../lib/gpuexec/libhsa-runtime64.so.1";
inline constexpr const char *ENTRY = "gpuexec_emulator_disassembly";

struct Exports {
  uint64_t layout; ///< GPUEXEC_DISASSEMBLY_LAYOUT of its build
  decltype(&make_amdgpu) make_amdgpu;
};

} // namespace gpuexec::disassembly
