//===-- toolchain/passes/shared/jumps.h - setjmp and longjmp ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "toolchain/passes/shared/unwinding.h"

namespace gpuexec {

/// Replaces the program's calls of setjmp and defines where longjmp begins:
/// sources and landings of the unwinding. False when the program has neither.
bool add_jumps(llvm::Module &module, Unwinding &unwinding);

} // namespace gpuexec
