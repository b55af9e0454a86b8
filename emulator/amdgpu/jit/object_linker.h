//===-- emulator/amdgpu/jit/object_linker.h - Object to code ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Links the object file of one region, in which everything is relative, to code
// that runs anywhere.
//===----------------------------------------------------------------------===//
#ifndef GPUEXEC_EMULATOR_AMDGPU_JIT_OBJECT_LINKER_H
#define GPUEXEC_EMULATOR_AMDGPU_JIT_OBJECT_LINKER_H

#include "emulator/amdgpu/jit/compiled_code.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace gpuexec::emulator::amdgpu::jit {

/// `object`: as Compiler::finish() generates it, x86-64 ELF in the small code
/// model, position-independent. Functions that it calls become further host
/// pointers. Fails for what such an object does not have.
llvm::Expected<CompiledCode> link_object(llvm::MemoryBufferRef object,
                                         unsigned entries,
                                         std::vector<HostPointer> pointers);

} // namespace gpuexec::emulator::amdgpu::jit

#endif // GPUEXEC_EMULATOR_AMDGPU_JIT_OBJECT_LINKER_H
