//===-- toolchain/passes/shared/heap_stack.h - Names of libc.a --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of libc-shim/abi/heap_stack.c, which every program links, for
// the passes find_recursion and extend_stack.
//===----------------------------------------------------------------------===//
#pragma once
#include "toolchain/passes/shared/runtime.h"

namespace gpuexec {

inline constexpr Runtime HEAP_STACK_FUNCTIONS[] = {
    Runtime::more_stack, Runtime::free_stack, Runtime::stack_overflow};

/// Releases these functions, which the linker keeps for the passes, and erases
/// those that are not called.
void release_heap_stack(llvm::Module &module);

} // namespace gpuexec
