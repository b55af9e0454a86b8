//===-- toolchain/passes/shared/heap_stack.h - Names of libc.a --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the passes find_recursion and extend_stack share: the functions of
// libc-shim/abi/heap_stack.c.
//===----------------------------------------------------------------------===//
#pragma once
#include "gpu/start_up.h"
#include <llvm/IR/Module.h>

namespace gpuexec {

constexpr const char MORE_STACK[] = "__gpuexec_more_stack";
constexpr const char FREE_STACK[] = "__gpuexec_free_stack";
constexpr const char STACK_OVERFLOW[] = "__gpuexec_stack_overflow";
/// The variable with the bytes that a run may take.
constexpr const char RECURSION_LIMIT[] = GPUEXEC_RECURSION_LIMIT;
/// startup/start.c: the variable that makes the linker take them.
constexpr const char HEAP_STACK_USER[] = "__gpuexec_uses_heap_stack";

/// Releases these functions, which the linker keeps for the passes. Those that
/// are not called are erased.
void release_heap_stack(llvm::Module &module);

} // namespace gpuexec
