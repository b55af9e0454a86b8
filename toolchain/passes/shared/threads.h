//===-- toolchain/passes/shared/threads.h - Programs with threads *- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "toolchain/passes/shared/runtime.h"

namespace gpuexec {

/// The function of the C library that gives a chunk of memory that all threads
/// see (libc-shim/abi/shared_stack.c). Null in a program that neither creates
/// threads nor uses OpenMP.
inline llvm::Function *more_frames(llvm::Module &module) {
  return find_definition(module, Runtime::more_frames);
}

} // namespace gpuexec
