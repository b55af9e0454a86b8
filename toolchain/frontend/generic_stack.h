//===-- toolchain/frontend/generic_stack.h - C++ on AMD ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GPUEXEC_TOOLCHAIN_GENERIC_STACK_H
#define GPUEXEC_TOOLCHAIN_GENERIC_STACK_H

#include "clang/Basic/TargetInfo.h"

namespace gpuexec {

/// Lets clang make code as if local variables were in the generic address
/// space, from here until end_generic_stack(). The pass restore_stack puts them
/// back where AMD's GPUs have them. Call it before code generation begins.
void begin_generic_stack(clang::TargetInfo &target);

/// The target is what it was; call it when all code has been made.
void end_generic_stack(clang::TargetInfo &target);

} // namespace gpuexec

#endif
