//===-- emulator/amdgpu/jit/code_memory.h - Memory for code -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places compiled code: copies it, fills in its host pointers and makes it
// executable. No page is writable and executable at once.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_CODE_MEMORY_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_CODE_MEMORY_H

#include "emulator/amdgpu/jit/compiled_code.h"

#include <atomic>
#include <mutex>

namespace gpuexec::emulator::amdgpu::jit {

/// Thread-safe.
class CodeMemory {
public:
  CodeMemory() = default;
  ~CodeMemory(); // no wave may be in it any more
  CodeMemory(const CodeMemory &) = delete;
  CodeMemory &operator=(const CodeMemory &) = delete;

  /// The address of the placed code, which stays as long as this object; null
  /// when there is no memory for it, or it needs a function that is not there.
  /// `epoch`: AddressSpace::epoch_counter().
  const char *place(const CompiledCode &code, const std::atomic<u64> *epoch);

private:
  char *reserve(size_t size);

  std::mutex mutex; // of everything below
  struct Arena {
    char *begin;
    size_t size;
  };
  std::vector<Arena> arenas;
  char *next = nullptr, *end = nullptr; // what is free of the last one
};

/// A function of the C library that code may call, or null. Processors before
/// x86-64-v3 have no instructions for some operations.
void *host_function(const std::string &name);

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_CODE_MEMORY_H
