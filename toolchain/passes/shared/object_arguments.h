//===-- toolchain/passes/shared/object_arguments.h --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpuexec's plugin of clang and the pass pass_objects agree on: a function
// of this name, never called, has a parameter by value of each class whose
// objects cannot be copied byte by byte.
//===----------------------------------------------------------------------===//
#pragma once

namespace gpuexec {

inline constexpr const char *OBJECT_ARGUMENTS = "gpuexec.object-arguments";

} // namespace gpuexec
