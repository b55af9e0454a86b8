//===-- emulator/amdgpu/fuzz/memory.h - What a kernel is given --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions at fixed addresses, so that an input does the same in every process.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_FUZZ_MEMORY_H
#define GPUEXEC_EMULATOR_AMDGPU_FUZZ_MEMORY_H

#include "emulator/amdgpu/decode/state.h"

#include <cstddef>
#include <cstdio>
#include <cstdlib>

namespace gpuexec::emulator::amdgpu::fuzz {

constexpr size_t PAGE = 4096;
constexpr u64 MEMORY = 0x2000'0000'0000;
enum : u64 {
  DATA = MEMORY + 0x10000,     // read and written: PAGE bytes less 32
  CONSTANT = MEMORY + 0x20000, // a page that is only read
  FREED = MEMORY + 0x30000,    // a page that is freed while the kernel runs
  CODE = MEMORY + 0x40000,     // CODE_SIZE bytes: descriptor, then code
  HOST = MEMORY + 0x60000,     // no region of the device
};
constexpr u64 DATA_SIZE = PAGE - 32, CODE_SIZE = 2 * PAGE;

/// Ends the process with a message: the kernel did what it must not, or the
/// fuzzer cannot go on.
[[noreturn]] inline void finding(const char *what) {
  std::fprintf(stderr, "finding: %s\n", what);
  std::abort();
}

} // namespace gpuexec::emulator::amdgpu::fuzz

#endif // GPUEXEC_EMULATOR_AMDGPU_FUZZ_MEMORY_H
