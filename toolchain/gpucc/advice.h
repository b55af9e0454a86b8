//===-- toolchain/gpucc/advice.h - How a program is run ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU program cannot be started like a native program. gpucc says so when
// somebody is about to try: at the first a.out of a folder, and when an
// autoconf script checks whether the programs that it links run.
//===----------------------------------------------------------------------===//
#pragma once
#include <string>

namespace gpuexec {

/// The note to print, in one line, after a successful link of the plain image
/// `output`; "" in most cases. Call it before the link, because it looks
/// whether `output` exists.
std::string advice_for(const std::string &output);

} // namespace gpuexec
