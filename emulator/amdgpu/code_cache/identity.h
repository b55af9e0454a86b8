//===-- emulator/amdgpu/code_cache/identity.h - What code depends on ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_IDENTITY_H
#define GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_IDENTITY_H

#include "emulator/amdgpu/code/code.h"
#include "emulator/amdgpu/code_cache/kept_region.h"

namespace gpuexec::emulator::amdgpu::code_cache {

/// The build id (a note that the linker writes) of the library or program in
/// this process that `address` is in, as hexadecimal digits; "" without one.
std::string build_id_around(const void *address);
/// The build id of the library or program in a file; "" without one.
std::string build_id_of_file(const std::string &path);

/// Hashes the code as it is in memory, its address, how many lanes its waves
/// have, the processor that it is for (`cpu`), this machine's processor with
/// the features that LLVM uses, and `builds`: the build ids of the emulator and
/// of the JIT's library.
Key key_of(const Code &code, const std::string &cpu, const std::string &builds);

} // namespace gpuexec::emulator::amdgpu::code_cache

#endif // GPUEXEC_EMULATOR_AMDGPU_CODE_CACHE_IDENTITY_H
