//===-- toolchain/gpucc/advice.h - How a program is run ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU's program cannot be started like one of the host. gpucc says so where
// somebody is about to try: at the first a.out of a folder, and where an
// autoconf script finds out whether programs run.
//===----------------------------------------------------------------------===//
#pragma once
#include <string>

namespace gpuexec {

/// What to say when the link of the plain image `output` has succeeded, in one
/// line; "" in most cases. To be asked before the link.
std::string advice_for(const std::string &output);

} // namespace gpuexec
