//===-- toolchain/passes/shared/threads.h - Programs with threads ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "toolchain/passes/shared/runtime.h"

namespace gpuexec {

/// The C library's function that allocates a chunk of memory for variables that
/// all threads see (libc-shim/abi/shared_stack.c). Null in a program that
/// neither creates threads nor uses OpenMP.
inline llvm::Function *more_frames(llvm::Module &module) {
  return find_definition(module, Runtime::more_frames);
}

} // namespace gpuexec
