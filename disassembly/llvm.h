//===-- disassembly/llvm.h - The disassembler itself ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's tables of AMD's instructions have 10 MB and are installed once, in the
// emulator's library, which needs them at every start. gpuexec-info opens that
// library when it needs them (borrowed.cpp). All other programs have them
// linked in (inside.cpp).
//===----------------------------------------------------------------------===//
#pragma once

#include "disassembly/amdgpu.h"

namespace gpuexec::disassembly {

/// AmdgpuDisassembler::create() for callers with a copy of LLVM of their own,
/// to which an llvm::Error must not be passed. On failure returns null, and
/// `error` has the message.
std::unique_ptr<AmdgpuDisassembler>
make_amdgpu(llvm::StringRef cpu, llvm::StringRef features, std::string &error);

/// The emulator's library, relative to the folder of gpuexec-info, and the name
/// of its symbol that is an Exports.
inline constexpr const char *LIBRARY = "../lib/gpuexec/libhsa-runtime64.so.1";
inline constexpr const char *ENTRY = "gpuexec_emulator_disassembly";

struct Exports {
  uint64_t layout; ///< GPUEXEC_DISASSEMBLY_LAYOUT of the library's build
  decltype(&make_amdgpu) make_amdgpu;
};

} // namespace gpuexec::disassembly
