//===-- emulator/amdgpu/tiers/jit_library.h - Opens LLVM's library --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_TIERS_JIT_LIBRARY_H
#define GPUEXEC_EMULATOR_AMDGPU_TIERS_JIT_LIBRARY_H

#include "emulator/amdgpu/jit/jit.h"

#include <mutex>
#include <string>

namespace gpuexec::emulator::amdgpu::jit {

/// Held while compiling: a process must not tear LLVM down under the compiler.
/// Once the library is open, the end of the process takes it and keeps it.
std::mutex &compiling_mutex();

/// The path of the JIT's library, which lies beside the library that this
/// function is in. "": that one's path is not known.
std::string jit_library_path();

/// Opens the JIT's library; its exports live until the process ends. Null if
/// the library cannot be opened, is not to be trusted or is of another build; a
/// warning is printed in the last two cases.
const Exports *open_jit_library();

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_TIERS_JIT_LIBRARY_H
