//===-- emulator/amdgpu/jit/compiled_code.h - Code for any place -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the JIT makes of a region. It runs at any address and in any process:
// what it must know of this process, it loads from *host pointers*, 64-bit
// words in the code that are filled in when the code is placed
// (code_memory.h). Addresses of the emulated program are constants in it.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILED_CODE_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILED_CODE_H

#include "emulator/amdgpu/decode/inst.h"

#include <string>
#include <vector>

namespace gpuexec::emulator::amdgpu::jit {

/// A pointer that compiled code needs.
struct HostPointer {
  enum class Kind : u8 {
    instruction,          // `inst`
    epoch,                // AddressSpace::epoch_counter()
    forget_inline_caches, // inline_cache.h
    fill_global_cache,
    function, // `function`, of the C library: host_function()
  };
  Kind kind = Kind::epoch;
  const Inst *inst = nullptr;
  std::string function;
  u32 offset = 0; // of the word, in CompiledCode::bytes
};

/// Aligned to CODE_ALIGNMENT wherever it is placed.
struct CompiledCode {
  std::vector<u8> bytes;
  std::vector<HostPointer> pointers;
  std::vector<u32> handlers; // offsets, in the order of Result::entries
};
inline constexpr u32 CODE_ALIGNMENT = 4096;

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_COMPILED_CODE_H
